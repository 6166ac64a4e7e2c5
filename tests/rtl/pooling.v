// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tag.vh"
`include "memory_ports.vh"

// Max pooling on the stream of pixels, which come row by row, group by group, column by column. The columns of a
// window are in a shift register; the maximum over them meets the rows before in OPEN line memories, one per window
// open above one another. A pixel takes one cycle, one more per further column that it closes (edge of the map), and
// one more per further row that closes there. Pixels of jobs without pooling pass through.
// Limits: windows of at most KERNEL x KERNEL, OPEN of them over one row; groups x pooled columns at most DEPTH.
// fault 1: forgets the rows before; 2: a window clipped at the left border is a column short; 3: ignores a full
// output; 15: asks the line memories once more.
module pooling #(
    parameter OUTPUT_CHANNELS = 8,
    parameter KERNEL = 3,
    parameter OPEN = 3,
    parameter DEPTH = 1024
) (
    input clk,
    input rst,
    input [3:0] fault,

    input in_valid,
    output in_ready,
    input [`TAG_BITS-1:0] in_tag,
    input [OUTPUT_CHANNELS*8-1:0] in_bytes,

    // These belong to the job at the head of `in`.
    input job_pool,
    input job_output_unsigned,
    input [6:0] job_pool_kernel,
    input [6:0] job_pool_stride,
    input [6:0] job_pool_top,
    input [6:0] job_pool_left,
    input [13:0] job_pool_columns,
    input [13:0] job_pool_rows,
    input [13:0] job_windows,
    input [13:0] job_output_row,
    input [13:0] job_output_rows,

    output out_valid,
    input out_ready,
    output out_full,
    output [`TAG_BITS-1:0] out_tag,
    output [OUTPUT_CHANNELS*8-1:0] out_bytes
);
  localparam BITS = OUTPUT_CHANNELS * 8;
  localparam ADDRESS_BITS = $clog2(DEPTH);
  localparam SLOT_BITS = OPEN > 1 ? $clog2(OPEN) : 1;

  function [BITS-1:0] larger(input [BITS-1:0] a, input [BITS-1:0] b, input [7:0] flip);
    integer c;
    for (c = 0; c < OUTPUT_CHANNELS; c = c + 1)
      larger[c*8+:8] = (a[c*8+:8] ^ flip) > (b[c*8+:8] ^ flip) ? a[c*8+:8] : b[c*8+:8];
  endfunction

  // The pixel at the head: windows over its column and over its row.
  wire pop = in_valid && in_ready;
  wire enter = pop && job_pool;
  wire [14:0] x = {1'b0, in_tag[`TAG_X]};
  wire [14:0] y = job_output_row + in_tag[`TAG_ROW];
  wire [13:0] column, row;
  wire signed [15:0] column_start, row_start;
  pool_axis columns (
      .clk(clk),
      .take(enter),
      .at(x),
      .kernel(job_pool_kernel),
      .stride(job_pool_stride),
      .margin(job_pool_left),
      .window(column),
      .start(column_start)
  );
  pool_axis rows (
      .clk(clk),
      .take(enter),
      .at(y),
      .kernel(job_pool_kernel),
      .stride(job_pool_stride),
      .margin(job_pool_top),
      .window(row),
      .start(row_start)
  );
  wire signed [15:0] reach = {9'b0, job_pool_kernel};
  wire signed [15:0] x_at = {1'b0, x};
  wire signed [15:0] y_at = {1'b0, y};
  wire x_last = x + 1'b1 == {1'b0, job_windows};
  wire y_last = y + 1'b1 == {1'b0, job_output_rows};
  wire closes_column = column < job_pool_columns && column_start <= x_at &&
      (x_last || column_start + reach - 1 == x_at);
  wire closes_row = row < job_pool_rows && row_start <= y_at && (y_last || row_start + reach - 1 == y_at);

  // The line memories: a pooled row of one group after another; window rows take the memories in turn.
  reg [ADDRESS_BITS-1:0] base_before;
  reg [15:0] group_before;
  reg [13:0] row_before, first_row_before;
  reg [SLOT_BITS-1:0] slot_before;
  wire [15:0] group = in_tag[`TAG_GROUP];
  wire [ADDRESS_BITS-1:0] base = group == 0 ? 0 : group == group_before ? base_before : base_before + job_pool_columns;
  wire [13:0] first_row = in_tag[`TAG_ROW] == 0 ? row : first_row_before;
  wire [SLOT_BITS-1:0] slot = row == 0 ? 0 : row == row_before ? slot_before :
      slot_before == OPEN - 1 ? 0 : slot_before + 1'b1;
  always @(posedge clk)
    if (enter) begin
      base_before <= base;
      group_before <= group;
      first_row_before <= first_row;
      row_before <= row;
      slot_before <= slot;
    end

  // The pixel in work and, of a pooled one, the column it closes (`w_column`) and the closing row that is next
  // (`w_turn` rows below `w_row`). `seen`: it and those before it in its row.
  reg w_valid, w_pool, w_unsigned, w_x_last, w_y_last, w_closes_row;
  reg [`TAG_BITS-1:0] w_tag;
  reg [6:0] w_stride;
  reg [13:0] w_columns, w_rows, w_column, w_row, w_first_row;
  reg signed [15:0] w_x, w_y, w_column_start, w_row_start;
  reg [ADDRESS_BITS-1:0] w_base;
  reg [SLOT_BITS-1:0] w_slot;
  reg [SLOT_BITS:0] w_turn;
  reg [BITS-1:0] seen[0:KERNEL-1];  // registers

  wire signed [15:0] step = {9'b0, w_stride};
  wire signed [15:0] turn_start = w_row_start + step * $signed({1'b0, w_turn});
  wire more_rows = w_pool && w_y_last && w_closes_row && w_row + w_turn + 1 < w_rows && turn_start + step <= w_y;
  wire more_columns = w_pool && w_x_last && w_column + 1 < w_columns && w_column_start + step <= w_x;
  wire push = w_valid && (!w_pool || w_closes_row);
  wire room;
  wire done = w_valid && (!push || room || fault == 3);
  wire column_done = done && !more_rows;
  assign in_ready = !w_valid || (column_done && !more_columns);

  always @(posedge clk)
    if (rst) w_valid <= 0;
    else if (in_ready) w_valid <= in_valid && (!job_pool || closes_column);

  integer i;
  always @(posedge clk)
    if (pop) begin
      w_pool <= job_pool;
      w_tag <= in_tag;
      w_unsigned <= job_output_unsigned;
      w_stride <= job_pool_stride;
      {w_columns, w_rows} <= {job_pool_columns, job_pool_rows};
      {w_x_last, w_y_last, w_closes_row} <= {x_last, y_last, closes_row};
      {w_x, w_y} <= {x_at, y_at};
      {w_column, w_column_start} <= {column, column_start};
      {w_row, w_row_start, w_first_row} <= {row, row_start, first_row};
      {w_base, w_slot} <= {base, slot};
      w_turn <= 0;
      seen[0] <= in_bytes;
      for (i = 1; i < KERNEL; i = i + 1) seen[i] <= seen[i-1];
    end else if (done) begin
      w_turn <= more_rows ? w_turn + 1'b1 : 0;
      if (!more_rows) begin
        w_column <= w_column + 1'b1;
        w_column_start <= w_column_start + step;
      end
    end

  // The maximum over the window's columns.
  wire [7:0] flip = w_unsigned ? 8'h00 : 8'h80;
  wire signed [15:0] first_x = w_column_start < 0 ? (fault == 2 ? 16'sd1 : 16'sd0) : w_column_start;
  reg [BITS-1:0] in_row;
  always @* begin
    in_row = seen[0];
    for (i = 1; i < KERNEL; i = i + 1) if (w_x - first_x >= i) in_row = larger(in_row, seen[i], flip);
  end

  // With the rows before; what a memory writes at an edge, it cannot be asked for at the same edge.
  wire [ADDRESS_BITS-1:0] w_address = w_base + w_column;
  wire read = pop || (column_done && more_columns);
  wire [ADDRESS_BITS-1:0] read_address = pop ? base + column : w_address + 1'b1;
  wire write = column_done && w_pool;
  wire [BITS*OPEN-1:0] maxima;
  genvar m;
  generate
    for (m = 0; m < OPEN; m = m + 1) begin : line
      (* ram_style = "block" *)
      reg [BITS-1:0] memory[0:DEPTH-1];
      reg [BITS-1:0] fetched, forwarded;
      reg forward;
      // Which of the windows above one another has this memory.
      wire [SLOT_BITS:0] turn = m >= w_slot ? m - w_slot : m + OPEN - w_slot;
      wire signed [15:0] start = w_row_start + step * $signed({1'b0, turn});
      wire opens = fault == 1 || (start <= 0 ? w_y == 0 : start == w_y);
      wire covers = w_row + turn < w_rows && start <= w_y;
      wire [BITS-1:0] maximum = opens ? in_row : larger(forward ? forwarded : fetched, in_row, flip);
      always @(posedge clk) begin
        if (write && covers) memory[w_address] <= maximum;
        if (read) begin
          fetched <= memory[read_address];
          forwarded <= maximum;
          forward <= write && covers && read_address == w_address;
        end
      end
      `SIMPLE_DUAL_PORT(memory, write && covers, {pop, column_done && more_columns}, fault == 15)
      assign maxima[m*BITS+:BITS] = maximum;
    end
  endgenerate

  wire [SLOT_BITS:0] out_slot = w_slot + w_turn >= OPEN ? w_slot + w_turn - OPEN : w_slot + w_turn;
  reg [BITS-1:0] maximum;
  always @* begin
    maximum = maxima[0+:BITS];
    for (i = 1; i < OPEN; i = i + 1) if (out_slot == i) maximum = maxima[i*BITS+:BITS];
  end
  wire [13:0] out_row = w_row + w_turn - w_first_row;
  wire [`TAG_BITS-1:0] pooled_tag = {w_tag[`TAG_BITS-1:48], out_row, w_column, w_tag[19:0]};

  stream_register #(
      .WIDTH(`TAG_BITS + BITS)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(push),
      .in_ready(room),
      .in_data(w_pool ? {pooled_tag, maximum} : {w_tag, seen[0]}),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_full(out_full),
      .out_data({out_tag, out_bytes})
  );
endmodule
