// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
/* verilator lint_off UNSIGNED */

// One direction of an interconnect: which manager's oldest burst goes to which subordinate at this edge, or to none.
// BASES and BYTES: what the subordinates hold. Faults 1, 2, 3, 7 and 9 of axi_interconnect.v.
module axi_grants #(
    parameter MANAGERS = 2,
    parameter SUBORDINATES = 2,
    parameter BEAT_BYTES = 4,
    parameter OUTSTANDING = 8,
    parameter PRIORITY = 0,
    parameter [SUBORDINATES*32-1:0] BASES = 0,
    parameter [SUBORDINATES*32-1:0] BYTES = 0
) (
    input clk,
    input rst,
    input [3:0] fault,

    input [MANAGERS-1:0] valid,
    input [MANAGERS*32-1:0] address,
    input [MANAGERS*9-1:0] beats,
    input [MANAGERS-1:0] over,  // one of its bursts ends at this edge
    input [SUBORDINATES-1:0] room,

    output [SUBORDINATES*MANAGERS-1:0] grant,  // of each subordinate one manager at most
    output [MANAGERS-1:0] lose
);
  localparam M = MANAGERS, S = SUBORDINATES;
  wire [S*M-1:0] asks;
  genvar i, j;
  generate
    for (i = 0; i < M; i = i + 1) begin : manager
      wire [32:0] first = address[32*i+:32];
      wire [32:0] last = fault == 3 ? first : first + beats[9*i+:9] * BEAT_BYTES - 1;
      wire [S-1:0] holds, granted;
      wire [S:0] target = {holds == 0, holds & -holds};  // one-hot: the first that holds it, or none
      reg [S:0] partner;
      reg [7:0] in_flight;
      wire [7:0] left = in_flight - over[i];
      wire place = (fault == 9 ? in_flight : left) < OUTSTANDING + (fault == 7);
      wire asking = valid[i] && place && (left == 0 || partner == target || fault == 2);
      assign lose[i] = asking && target[S] && left == 0;
      wire taken = lose[i] || granted != 0;
      for (j = 0; j < S; j = j + 1) begin : subordinate
        wire [32:0] from = BASES[32*j+:32];
        wire [32:0] to = from + BYTES[32*j+:32];
        assign holds[j] = first >= from && last < to;
        assign asks[M*j+i] = asking && target[j];
        assign granted[j] = grant[M*j+i];
      end
      always @(posedge clk) begin
        in_flight <= rst ? 0 : left + taken;
        if (taken) partner <= target;
      end
    end
    for (j = 0; j < S; j = j + 1) begin : subordinate
      reg [M-1:0] behind;  // the ports behind the one served last
      wire [M-1:0] here = asks[M*j+:M];
      wire [M-1:0] next = PRIORITY == 0 && (here & behind) != 0 ? here & behind : here;
      wire [M-1:0] one = room[j] ? next & -next : 0;
      assign grant[M*j+:M] = one;
      always @(posedge clk)
        if (rst) behind <= {M{1'b1}};
        else if (one != 0) behind <= fault == 1 ? -one : ~(one | (one - 1'b1));
    end
  endgenerate
endmodule
