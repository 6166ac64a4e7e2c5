// SPDX-License-Identifier: Apache-2.0
`include "command.vh"
// The jobs that beats on their way to the output belong to: written when a job starts, read by whoever has one of its
// beats at the head. Eight are more than can be under way: a job starts when the sums of the one before are done.
module job_store #(
    parameter READERS = 5
) (
    input clk,
    input write,
    input [2:0] write_slot,
    input [`JOB_BITS-1:0] write_job,
    input [3*READERS-1:0] read_slots,
    output [`JOB_BITS*READERS-1:0] read_jobs
);
  (* ram_style = "distributed" *)
  reg [`JOB_BITS-1:0] jobs[0:7];  // no ports: a copy for each reader
  always @(posedge clk) if (write) jobs[write_slot] <= write_job;
  genvar r;
  generate
    for (r = 0; r < READERS; r = r + 1) begin : reader
      assign read_jobs[r*`JOB_BITS+:`JOB_BITS] = jobs[read_slots[r*3+:3]];
    end
  endgenerate
endmodule
