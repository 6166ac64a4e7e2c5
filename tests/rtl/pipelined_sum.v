// SPDX-License-Identifier: Apache-2.0
// Sum of TERMS two's complement numbers, pairwise, one register per level; levels beyond ceil(log2(TERMS)) only delay.
module pipelined_sum #(
    parameter TERMS = 24,
    parameter WIDTH = 16,
    parameter LEVELS = 5
) (
    input  wire                    clk,
    input  wire                    enable,
    input  wire [TERMS*WIDTH-1:0]  in,
    output wire [WIDTH+LEVELS-1:0] out
);
  genvar level, term;
  generate
    for (level = 0; level <= LEVELS; level = level + 1) begin : stage
      localparam COUNT = (TERMS + (1 << level) - 1) >> level;
      localparam BITS = WIDTH + level;
      wire [COUNT*BITS-1:0] value;
      if (level == 0) begin : first
        assign value = in;
      end else begin : adders
        localparam BEFORE = (TERMS + (1 << (level - 1)) - 1) >> (level - 1);
        for (term = 0; term < COUNT; term = term + 1) begin : adder
          wire [BITS-2:0] a = stage[level-1].value[2*term*(BITS-1)+:BITS-1];
          reg  [BITS-1:0] sum;
          if (2 * term + 1 < BEFORE) begin : pair
            wire [BITS-2:0] b = stage[level-1].value[(2*term+1)*(BITS-1)+:BITS-1];
            always @(posedge clk) if (enable) sum <= {a[BITS-2], a} + {b[BITS-2], b};
          end else begin : single
            always @(posedge clk) if (enable) sum <= {a[BITS-2], a};
          end
          assign value[term*BITS+:BITS] = sum;
        end
      end
    end
  endgenerate
  assign out = stage[LEVELS].value;
endmodule
