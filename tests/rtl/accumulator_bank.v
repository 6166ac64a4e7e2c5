// SPDX-License-Identifier: Apache-2.0
// One block RAM bank of partial sums: read at one edge, added to and written back at the next. A sum written at an edge
// can be read at the same edge.
module accumulator_bank #(
    parameter WIDTH = 256,
    parameter DEPTH = 683,
    parameter ADDRESS_BITS = 10
) (
    input  wire                    clk,
    input  wire                    forward,
    input  wire                    read,
    input  wire [ADDRESS_BITS-1:0] read_address,
    output wire [       WIDTH-1:0] read_data,
    input  wire                    write,
    input  wire [ADDRESS_BITS-1:0] write_address,
    input  wire [       WIDTH-1:0] write_data
);
  (* no_rw_check *)
  reg [WIDTH-1:0] memory[0:DEPTH-1];  // ports: accumulator.v
  reg [WIDTH-1:0] stored, written;
  reg use_written;

  always @(posedge clk) begin
    if (write) memory[write_address] <= write_data;
    if (read) begin
      stored <= memory[read_address];
      written <= write_data;
      use_written <= write && write_address == read_address && forward;
    end
  end
  assign read_data = use_written ? written : stored;
endmodule
