// SPDX-License-Identifier: Apache-2.0
// sigma in Q0.15 at (index - 2048) / 256; the entry is there two cycles later.
module sigmoid_table #(
    parameter TABLE = "sigmoid.hex"
) (
    input clk,
    input read,
    input [11:0] index,
    output reg [15:0] entry
);
  (* ram_style = "block" *)
  reg [15:0] entries[0:4095];  // constants
  reg [15:0] fetched;
  initial $readmemh(TABLE, entries);
  always @(posedge clk)
    if (read) begin
      fetched <= entries[index];
      entry   <= fetched;
    end
endmodule
