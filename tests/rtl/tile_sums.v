// SPDX-License-Identifier: Apache-2.0
// One half of a tile engine's partial sums: simple dual-port block RAM without output register.
module tile_sums #(
    parameter WIDTH = 128,
    parameter DEPTH = 16,
    parameter ADDRESS_BITS = 4
) (
    input  wire                    clk,
    input  wire                    read,
    input  wire [ADDRESS_BITS-1:0] read_address,
    output reg  [       WIDTH-1:0] read_data,
    input  wire                    write,
    input  wire [ADDRESS_BITS-1:0] write_address,
    input  wire [       WIDTH-1:0] write_data
);
  (* no_rw_check *)
  reg [WIDTH-1:0] memory[0:DEPTH-1];  // ports: tile_engine.v
  always @(posedge clk) begin
    if (write) memory[write_address] <= write_data;
    if (read) read_data <= memory[read_address];
  end
endmodule
