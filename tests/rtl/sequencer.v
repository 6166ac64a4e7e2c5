// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "command.vh"

// Runs one job at a time: for block / row / x_block / group one pass, with a fill of the lines before the passes of
// every row. A job starts when what it reads has been received and what it writes has been sent; it is done when the
// accumulator says so, a recurrent one after the cell's last step. What a pass needs is kept by adding up.
// fault 1: forgets that a further row loads only new lines; 2: the weight sets do not restart with a row; 3: starts
// before its input is there.
module sequencer #(
    parameter ROWS = 3,
    parameter COLS = 3
) (
    input clk,
    input rst,
    input [3:0] fault,

    input command_valid,
    output command_ready,
    input [`JOB_BITS-1:0] command_image,

    input done_valid,
    output done_ready,

    // Each half (and the resident store) has a bit.
    input [1:0] input_readable,
    input [2:0] weights_readable,
    input [1:0] bias_readable,
    input [1:0] output_writable,
    input step_done,  // the cell's hidden state is complete

    output lines_valid,
    input lines_ready,
    output lines_full,
    output [2:0] lines_slot,
    output lines_fill,
    output lines_zero_state,
    output [27:0] lines_address,  // first word of a fill
    output [3:0] lines_lines,

    output passes_valid,
    input passes_ready,
    output passes_full,
    output [2:0] passes_slot,
    output [13:0] passes_block,
    output [13:0] passes_row,
    output [7:0] passes_x_block,
    output [15:0] passes_group,
    output [19:0] passes_entry,
    output passes_first,
    output passes_last,
    output passes_job_end,

    output weights_valid,
    input weights_ready,
    output weights_full,
    output [1:0] weights_target,
    output [31:0] weights_row,

    output start,  // the job at the head of `command` starts as job `start_slot`
    output [2:0] start_slot,
    output reg [`JOB_BITS-1:0] job,  // the one that runs, until the next starts
    output reg job_done
);
  localparam IDLE = 0, ISSUE = 1, DRAIN = 2;
  reg [1:0] state;
  reg [2:0] slot;
  wire recurrent = job[`JOB_START_RECURRENT];

  // A job waits in its stream until everything is there.
  wire input_there = command_image[`JOB_HIDDEN_INPUT] || input_readable[command_image[`JOB_INPUT_SELECT]] || fault == 3;
  wire weights_there = weights_readable[command_image[`JOB_WEIGHTS_RESIDENT] ? 2'd2 :
      {1'b0, command_image[`JOB_WEIGHT_SELECT]}];
  wire bias_there = bias_readable[command_image[`JOB_BIAS_SELECT]];
  wire output_there = !command_image[`JOB_SEND_OUTPUT] || output_writable[command_image[`JOB_OUTPUT_SELECT]];
  assign command_ready = state == IDLE && input_there && weights_there && bias_there && output_there;
  assign start = command_valid && command_ready;
  assign start_slot = slot + 3'd1;

  // The fill that starts a job is issued while the job is still in its stream.
  wire [`JOB_BITS-1:0] fill_job = start ? command_image : job;
  wire first_row = start || row == 0;
  wire whole_rows = fill_job[`JOB_MATRIX] || fill_job[`JOB_HIDDEN_INPUT];
  wire [7:0] kernel_left = start ? command_image[`JOB_KERNEL] : kernel_below;
  wire [7:0] kernel_rows = kernel_left < ROWS ? kernel_left : ROWS;
  wire [11:0] stride = fill_job[`JOB_STRIDE];
  wire [11:0] step_rows = fill_job[`JOB_PARALLEL] * stride;
  wire [11:0] all = whole_rows ? ROWS : step_rows - stride + kernel_rows;
  wire [11:0] fresh = all < step_rows && fault != 1 ? all : fault == 1 ? all : step_rows;

  // The nest, and what goes with it.
  reg fill_due;
  reg [13:0] block, row, step;
  reg [7:0] x_block, kernel_below;
  reg [15:0] group;
  reg [27:0] row_address, block_address;  // of the lines above the row's first window
  reg [19:0] entry, row_entry;
  reg [26:0] set_row, block_set_row;
  wire [26:0] next_set_row = set_row + COLS[26:0];
  reg step_seen;

  wire last_group = group + 1'b1 == job[`JOB_GROUPS];
  wire last_x_block = x_block + 1'b1 == job[`JOB_X_BLOCKS];
  wire last_row = row + 1'b1 == job[`JOB_ROWS];
  wire last_block = block + 1'b1 == job[`JOB_BLOCKS];
  wire row_done = last_group && last_x_block;

  // Products of what changes with the job, or the block, and is first needed a pass later.
  reg [27:0] row_step, fresh_step;
  wire [11:0] kept = all - fresh;  // lines that a further row has already
  always @(posedge clk) begin
    row_step <= step_rows * job[`JOB_FILL_LINE_STEP];
    fresh_step <= (step_rows + kept) * job[`JOB_FILL_LINE_STEP];
  end

  wire lines_room, passes_room, weights_room;
  wire next_step = state == DRAIN && recurrent && (step_done || step_seen) && step + 1'b1 != job[`JOB_STEPS];
  wire issuing = state == ISSUE || start || next_step;
  wire fill = issuing && (fill_due || start || next_step) && lines_room;
  wire pass = state == ISSUE && !fill_due && lines_room && passes_room && weights_room;

  wire [19:0] entry_next = entry + job[`JOB_WINDOWS];
  wire [19:0] step_entry = job[`JOB_STEP_OFFSET] + step + (next_step ? 1'b1 : 1'b0);
  wire job_over = state == DRAIN && (recurrent ? (step_done || step_seen) && !next_step : done_valid);
  assign done_ready = state == DRAIN && !recurrent;

  always @(posedge clk)
    if (rst) begin
      state <= IDLE;
      slot <= 0;
      job_done <= 0;
    end else begin
      job_done <= job_over;
      if (start) begin
        state <= ISSUE;
        slot <= start_slot;
      end else if (next_step) state <= ISSUE;
      else if (job_over) state <= IDLE;
      else if (pass && row_done && last_row && last_block) state <= DRAIN;
    end

  always @(posedge clk) begin
    step_seen <= !start && !next_step && !job_over && (step_seen || step_done);
    if (start) begin
      job <= command_image;
      {block, row, step, x_block, group} <= 0;
      {row_address, block_address} <= {2{command_image[`JOB_FILL_BASE]}};
      kernel_below <= command_image[`JOB_KERNEL];
      {entry, row_entry} <= command_image[`JOB_START_RECURRENT] ? {2{6'b0, command_image[`JOB_STEP_OFFSET]}} : 40'd0;
      {set_row, block_set_row} <= {2{command_image[`JOB_WEIGHT_BASE]}};
      fill_due <= !fill;
    end else if (next_step) begin
      step <= step + 1'b1;
      {entry, row_entry} <= {2{step_entry}};
      {set_row, block_set_row} <= {2{job[`JOB_WEIGHT_BASE]}};
      kernel_below <= job[`JOB_KERNEL];
      {row_address, block_address} <= {2{job[`JOB_FILL_BASE]}};
      fill_due <= !fill;
    end else if (fill) begin
      fill_due <= 0;
      if (!first_row) row_address <= row_address + row_step;
    end else if (pass) begin
      group <= last_group ? 0 : group + 1'b1;
      if (last_group) x_block <= last_x_block ? 0 : x_block + 1'b1;
      entry <= !last_group ? entry_next : row_done && !recurrent && !last_row ? entry_next :
          row_done && last_row && !recurrent ? 0 : row_entry;
      set_row <= row_done && !last_row && fault != 2 ? block_set_row : next_set_row;
      if (row_done) begin
        fill_due <= 1;
        row <= last_row ? 0 : row + 1'b1;
        if (last_row) row_address <= block_address + job[`JOB_FILL_BLOCK_STEP];
        row_entry <= recurrent ? row_entry : last_row ? 0 : entry_next;
        if (last_row) begin
          block <= last_block ? 0 : block + 1'b1;
          kernel_below <= kernel_below - kernel_rows;
          block_set_row <= next_set_row;
          block_address <= block_address + job[`JOB_FILL_BLOCK_STEP];
        end
      end
    end
  end

  stream_register #(
      .WIDTH(37)
  ) lines (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(fill || pass),
      .in_ready(lines_room),
      .in_data({
        start ? start_slot : slot,
        fill,
        fill && fill_job[`JOB_ADD_BIAS] && (start || (step == 0 && !next_step)),
        start || next_step ? fill_job[`JOB_FILL_BASE] : first_row ? block_address : row_address + fresh_step,
        first_row || next_step ? all[3:0] : fresh[3:0]
      }),
      .out_valid(lines_valid),
      .out_ready(lines_ready),
      .out_full(lines_full),
      .out_data({lines_slot, lines_fill, lines_zero_state, lines_address, lines_lines})
  );
  stream_register #(
      .WIDTH(78)
  ) passes (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(pass),
      .in_ready(passes_room),
      .in_data({
        slot,
        block,
        recurrent ? step : row,
        x_block,
        group,
        entry,
        !recurrent && job[`JOB_ADD_BIAS] && block == 0 && x_block == 0,
        job[`JOB_LAST_ROUND] && last_block && last_x_block,
        !recurrent && last_block && last_row && row_done
      }),
      .out_valid(passes_valid),
      .out_ready(passes_ready),
      .out_full(passes_full),
      .out_data({
        passes_slot,
        passes_block,
        passes_row,
        passes_x_block,
        passes_group,
        passes_entry,
        passes_first,
        passes_last,
        passes_job_end
      })
  );
  stream_register #(
      .WIDTH(34)
  ) weights (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(pass),
      .in_ready(weights_room),
      .in_data({job[`JOB_WEIGHTS_RESIDENT] ? 2'd2 : {1'b0, job[`JOB_WEIGHT_SELECT]}, 5'd0, set_row}),
      .out_valid(weights_valid),
      .out_ready(weights_ready),
      .out_full(weights_full),
      .out_data({weights_target, weights_row})
  );
endmodule
