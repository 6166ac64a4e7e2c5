// SPDX-License-Identifier: Apache-2.0
// broken: valid fell before ready; a stalled payload changed.
module handshake_rules #(
    parameter WIDTH = 8
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [      3:0] fault,
    input  wire             valid,
    input  wire             ready,
    input  wire [WIDTH-1:0] payload,
    output reg              stalled,
    output wire [      1:0] broken
);
  reg  [WIDTH-1:0] held;
  reg              again;  // stalled at two edges and more
  wire             looks = stalled && !(fault == 4'd1 && again);
  assign broken = {looks && valid && payload != held, stalled && !valid};
  always @(posedge clk) begin
    stalled <= valid && !ready && !rst;
    again   <= stalled && valid && !ready && !rst;
    held    <= payload;
  end
endmodule
