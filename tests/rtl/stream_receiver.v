// SPDX-License-Identifier: Apache-2.0
// Receives one packet per command into a buffer: claims its target, writes beat after beat, frees the target two cycles
// after the last beat.
// fault 1: frees the target a cycle early; 2: the second beat overwrites the first; 3: takes a beat while idle.
module stream_receiver #(
    parameter BEAT_BYTES = 16,
    parameter ADDRESS_BITS = 16
) (
    input clk,
    input rst,
    input [3:0] fault,

    input command_valid,
    output command_ready,
    input [1:0] command_target,

    input s_axis_valid,
    output s_axis_ready,
    input [BEAT_BYTES*8-1:0] s_axis_data,
    input s_axis_last,

    output claim,
    output [1:0] claim_target,
    output write,
    output [1:0] target,
    output [ADDRESS_BITS-1:0] write_address,  // in beats
    output [BEAT_BYTES*8-1:0] write_data,
    output free,
    output reg [1:0] state
);
  localparam IDLE = 0, READ = 1, FINISH = 2;
  reg finished;
  reg [1:0] target_now;
  reg [ADDRESS_BITS-1:0] beat;

  assign command_ready = state == IDLE;
  assign claim = command_valid && command_ready;
  assign claim_target = command_target;
  assign s_axis_ready = state == READ || (fault == 3 && state == IDLE && command_valid);
  assign write = s_axis_valid && s_axis_ready;
  assign target = target_now;
  assign write_address = fault == 2 && beat == 1 ? 0 : beat;
  assign write_data = s_axis_data;
  assign free = fault == 1 ? state == FINISH : finished && state == IDLE;

  always @(posedge clk)
    if (rst) begin
      state <= IDLE;
      finished <= 0;
    end else
      case (state)
        IDLE: begin
          finished <= 0;
          if (command_valid) begin
            state <= READ;
            target_now <= command_target;
            beat <= 0;
          end
        end
        READ: if (s_axis_valid) begin
          beat <= beat + 1'b1;
          if (s_axis_last) state <= FINISH;
        end
        default: begin
          finished <= 1;
          state <= IDLE;
        end
      endcase
endmodule
