// SPDX-License-Identifier: Apache-2.0
`include "command.vh"

// The core's six AXI-Lite registers, and with CODE_TABLE a seventh. Writing register 1 arms receivers and starts jobs;
// everything else is held, but for the seventh, which passes on what is written.
// fault 1: arms the half that is read; 2: mistakes the upper geometry words for the lower; 3: answers although the
// response is full.
module command_registers #(
    parameter CODE_TABLE = 0
) (
    input clk,
    input rst,
    input [3:0] fault,

    input request_valid,
    output request_ready,
    input request_write,
    input [31:0] request_address,
    input [31:0] request_value,

    output response_valid,
    input response_ready,
    output response_full,
    output [31:0] response_value,

    output receive_input_valid,
    input receive_input_ready,
    output receive_input_full,
    output [1:0] receive_input_target,

    output receive_weights_valid,
    input receive_weights_ready,
    output receive_weights_full,
    output [1:0] receive_weights_target,

    output receive_bias_valid,
    input receive_bias_ready,
    output receive_bias_full,
    output [1:0] receive_bias_target,

    output job_valid,
    input job_ready,
    output job_full,
    output [`JOB_BITS-1:0] job_image,

    // {pair, entry of the odd code, of the even}.
    output table_valid,
    input table_ready,
    output table_full,
    output [22:0] table_data
);
  reg [31:0] reg1, reg2, reg4, reg5, reg6;
  reg [31:0] geometry[0:15];  // registers
  wire [2:0] number = request_address[4:2] + 3'd1;

  wire response_room, input_room, weights_room, bias_room, job_room, table_room;
  wire acts = request_write && number == 1;
  wire starts = request_value[`JOB_START_CONV] || request_value[`JOB_START_RECURRENT];
  wire fills = CODE_TABLE != 0 && request_write && number == 7;
  wire blocked = fills && !table_room || acts && ((request_value[`JOB_RECEIVE_INPUT] && !input_room) ||
      (request_value[`JOB_RECEIVE_WEIGHTS] && !weights_room) || (request_value[`JOB_RECEIVE_BIAS] && !bias_room) ||
      (starts && !job_room));
  assign request_ready = (response_room || fault == 3) && !blocked;
  wire take = request_valid && request_ready;
  wire write = take && request_write;

  integer i;
  always @(posedge clk)
    if (rst) begin
      {reg1, reg2, reg4, reg5, reg6} <= 0;
      for (i = 0; i < 16; i = i + 1) geometry[i] <= 0;
    end else if (write)
      case (number)
        1: reg1 <= request_value;
        2: reg2 <= request_value;
        3: geometry[{request_value[31] && fault != 2, request_value[30:28]}] <= {4'd0, request_value[27:0]};
        4: reg4 <= request_value;
        5: reg5 <= request_value;
        6: reg6 <= request_value;
        default: ;
      endcase

  reg [31:0] value;
  always @*
    case (number)
      1: value = reg1;
      2: value = reg2;
      4: value = reg4;
      5: value = reg5;
      6: value = reg6;
      default: value = 0;
    endcase

  wire [`JOB_BITS-1:0] image;
  assign image[31:0] = request_value;
  assign image[63:32] = reg2;
  genvar w;
  generate
    for (w = 0; w < 16; w = w + 1) begin : word
      assign image[64+32*w+:32] = geometry[w];
    end
  endgenerate
  assign image[671:576] = {reg6, reg5, reg4};

  wire half = fault == 1;
  wire [1:0] weight_target = request_value[`JOB_RECEIVE_RESIDENT] ? 2'd2 :
      {1'b0, !request_value[`JOB_WEIGHT_SELECT] ^ half};

  stream_register #(
      .WIDTH(32)
  ) response (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(take),
      .in_ready(response_room),
      .in_data(request_write ? 32'd0 : value),
      .out_valid(response_valid),
      .out_ready(response_ready),
      .out_full(response_full),
      .out_data(response_value)
  );
  stream_register #(
      .WIDTH(2)
  ) receive_input (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(take && acts && request_value[`JOB_RECEIVE_INPUT]),
      .in_ready(input_room),
      .in_data({1'b0, !request_value[`JOB_INPUT_SELECT] ^ half}),
      .out_valid(receive_input_valid),
      .out_ready(receive_input_ready),
      .out_full(receive_input_full),
      .out_data(receive_input_target)
  );
  stream_register #(
      .WIDTH(2)
  ) receive_weights (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(take && acts && request_value[`JOB_RECEIVE_WEIGHTS]),
      .in_ready(weights_room),
      .in_data(weight_target),
      .out_valid(receive_weights_valid),
      .out_ready(receive_weights_ready),
      .out_full(receive_weights_full),
      .out_data(receive_weights_target)
  );
  stream_register #(
      .WIDTH(2)
  ) receive_bias (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(take && acts && request_value[`JOB_RECEIVE_BIAS]),
      .in_ready(bias_room),
      .in_data({1'b0, !request_value[`JOB_BIAS_SELECT] ^ half}),
      .out_valid(receive_bias_valid),
      .out_ready(receive_bias_ready),
      .out_full(receive_bias_full),
      .out_data(receive_bias_target)
  );
  stream_register #(
      .WIDTH(`JOB_BITS)
  ) job (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(take && acts && starts),
      .in_ready(job_room),
      .in_data(image),
      .out_valid(job_valid),
      .out_ready(job_ready),
      .out_full(job_full),
      .out_data(job_image)
  );
  generate
    if (CODE_TABLE != 0) begin : filling
      stream_register #(
          .WIDTH(23)
      ) entries (
          .clk(clk),
          .rst(rst),
          .fault(4'd0),
          .in_valid(take && fills),
          .in_ready(table_room),
          .in_data(request_value[22:0]),
          .out_valid(table_valid),
          .out_ready(table_ready),
          .out_full(table_full),
          .out_data(table_data)
      );
    end else begin : without
      assign {table_valid, table_full, table_data} = 0;
      assign table_room = 1;
    end
  endgenerate
endmodule
