// SPDX-License-Identifier: Apache-2.0
// What is asked of a memory at an edge of `clk`, against the ports that the estimate pays for: a simulation in which more is
// asked stops, synthesis sees nothing. `writes` and `reads` have a bit for each access, true where it is made; `again`, a
// planted fault, makes one more of each. tests/layering/memories.py holds the bits to the memory's places in the code.
`ifndef MEMORY_PORTS
`define MEMORY_PORTS
`ifdef SYNTHESIS
`define SINGLE_PORT(memory, writes, reads, again)
`define SIMPLE_DUAL_PORT(memory, writes, reads, again)
`else
// One access.
`define SINGLE_PORT(memory, writes, reads, again) \
  always @(posedge clk) if ($countones({writes, reads, again}) > 1) $stop;
// A write and a read.
`define SIMPLE_DUAL_PORT(memory, writes, reads, again) \
  always @(posedge clk) if ($countones({writes, again}) > 1 || $countones({reads, again}) > 1) $stop;
`endif
`endif
