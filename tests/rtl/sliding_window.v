// SPDX-License-Identifier: Apache-2.0
// The last COLS columns of the line buffers, from which a window is taken every job_stride columns; kernel columns sit
// in the last taps. With job_parallel > 1 each tap row takes the line that its output row needs. A hidden-state pass
// has one window; it and a matrix's pass use whole windows.
// `fault`: 1 takes windows a column late, 2 leaves tap rows of parallel output rows on their own lines, 3 drops the
// window that meets a full stream, 4 keeps new_weights up through the pass.
`include "tag.vh"
module sliding_window #(
    parameter ROWS = 3,
    parameter COLS = 3,
    parameter INPUT_CHANNELS = 8
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input wire [13:0] job_columns,
    input wire [13:0] job_windows,
    input wire [ 7:0] job_kernel,
    input wire [ 7:0] job_stride,
    input wire [ 3:0] job_parallel,
    input wire        job_matrix,
    input wire        job_hidden_input,

    input  wire        pass_valid,
    output wire        pass_ready,
    input  wire [ 2:0] pass_slot,
    input  wire [13:0] pass_row,
    input  wire [ 7:0] pass_x_block,
    input  wire [15:0] pass_group,
    input  wire [19:0] pass_entry,
    input  wire        pass_first,
    input  wire        pass_last,
    input  wire        pass_job_end,

    input  wire                             columns_valid,
    output wire                             columns_ready,
    input  wire [ROWS*INPUT_CHANNELS*8-1:0] columns_bytes,

    output wire                                  windows_valid,
    input  wire                                  windows_ready,
    output wire                                  windows_full,
    output wire [                 `TAG_BITS-1:0] windows_tag,
    output wire [COLS*ROWS*INPUT_CHANNELS*8-1:0] windows_taps
);
  localparam WORD = INPUT_CHANNELS * 8;
  localparam COLUMN = ROWS * WORD;
  // A pass's last window may be followed by a due column beyond the line.
  localparam DUE_BITS = 15;

  wire whole = job_matrix || job_hidden_input;
  wire [13:0] windows_in_pass = job_hidden_input ? 14'd1 : job_windows;
  wire [DUE_BITS-1:0] step = whole ? COLS[DUE_BITS-1:0] : {7'd0, job_stride};

  // The pass in work, or at the edge that takes it the one that waits.
  reg active;
  reg [2:0] slot_q;
  reg [13:0] row_q, column_q, window_q;
  reg [15:0] group_q;
  reg [19:0] entry_q;
  reg first_q, last_q, job_end_q;
  reg [DUE_BITS-1:0] due_q;

  wire [13:0] row = active ? row_q : pass_row;
  wire [15:0] group = active ? group_q : pass_group;
  wire [19:0] entry = active ? entry_q : pass_entry;
  wire first = active ? first_q : pass_first;
  wire last = active ? last_q : pass_last;
  wire job_end = active ? job_end_q : pass_job_end;
  wire [13:0] column = active ? column_q : 14'd0;
  wire [13:0] window = active ? window_q : 14'd0;

  // pass_x_block * COLS, in LUTs.
  reg [11:0] x_first;
  integer i;
  always @* begin
    x_first = 12'd0;
    for (i = 0; i < 4; i = i + 1) if (COLS[i]) x_first = x_first + ({4'd0, pass_x_block} << i);
  end
  wire [11:0] x_left = {4'd0, job_kernel} - x_first;
  wire [11:0] kernel_columns = whole || x_left > COLS[11:0] ? COLS[11:0] : x_left;
  wire [11:0] x_due = x_first + kernel_columns - 12'd1;
  wire [DUE_BITS-1:0] due = active ? due_q : {3'd0, x_due} + {14'd0, fault == 4'd1};

  wire windows_room;
  wire working = active || pass_valid;
  wire completes = {1'b0, column} == due && window < windows_in_pass;
  assign pass_ready = !active;
  assign columns_ready = working && (!completes || windows_room || fault == 4'd3);
  wire shift = columns_valid && columns_ready;
  wire emit = shift && completes;
  wire [13:0] windows_now = window + {13'd0, emit};

  always @(posedge clk) begin
    if (rst) active <= 1'b0;
    else if (working) active <= !(shift && column + 14'd1 >= job_columns);
    if (working) begin
      slot_q <= active ? slot_q : pass_slot;
      row_q <= row;
      group_q <= group;
      entry_q <= entry;
      first_q <= first;
      last_q <= last;
      job_end_q <= job_end;
      column_q <= column + {13'd0, shift};
      window_q <= windows_now;
      due_q <= emit ? due + step : due;
    end
  end

  // Output row p of several is a window of job_kernel tap rows from p * job_kernel, over the lines from p * job_stride
  // of those in use, which are the last: a table of the few jobs for which there are tap rows and lines enough.
  localparam JOB_BITS = $clog2(ROWS + 1);
  wire [3*JOB_BITS-1:0] job = {job_kernel[JOB_BITS-1:0], job_parallel[JOB_BITS-1:0], job_stride[JOB_BITS-1:0]};
  wire [COLUMN-1:0] entering;
  genvar m;
  generate
    for (m = 0; m < ROWS; m = m + 1) begin : tap_row
      reg [ROWS-1:0] from;
      reg [WORD-1:0] word;
      integer k, n, s, l;
      always @* begin
        from = {{(ROWS - 1) {1'b0}}, 1'b1} << m;
        for (k = 1; k <= ROWS; k = k + 1)
          for (n = 2; n * k <= ROWS; n = n + 1)
            for (s = 1; k + (n - 1) * s <= ROWS; s = s + 1)
              if (m < n * k && job == {k[JOB_BITS-1:0], n[JOB_BITS-1:0], s[JOB_BITS-1:0]} && fault != 4'd2)
                from = {{(ROWS - 1) {1'b0}}, 1'b1} << (ROWS - k - (n - 1 - m / k) * s + m % k);
        word = {WORD{1'b0}};
        for (l = 0; l < ROWS; l = l + 1) word = word | (columns_bytes[l*WORD+:WORD] & {WORD{from[l]}});
      end
      assign entering[m*WORD+:WORD] = word;
    end
  endgenerate

  wire [COLS*COLUMN-1:0] taps;
  generate
    if (COLS > 1) begin : several
      reg [(COLS-1)*COLUMN-1:0] older = {((COLS - 1) * COLUMN) {1'b0}};
      assign taps = {entering, older};
      always @(posedge clk) if (shift) older <= taps[COLS*COLUMN-1:COLUMN];
    end else begin : one
      assign taps = entering;
    end
  endgenerate

  wire [`TAG_BITS-1:0] tag;
  assign tag[`TAG_SLOT] = active ? slot_q : pass_slot;
  assign tag[`TAG_ENTRY] = entry + {6'd0, window};
  assign tag[`TAG_X] = window;
  assign tag[`TAG_ROW] = row;
  assign tag[`TAG_GROUP] = group;
  assign tag[`TAG_NEW_WEIGHTS] = window == 14'd0 || fault == 4'd4;
  assign tag[`TAG_FIRST] = first;
  assign tag[`TAG_LAST] = last;
  assign tag[`TAG_JOB_END] = job_end && window + 14'd1 == windows_in_pass;

  stream_register #(
      .WIDTH(`TAG_BITS + COLS * COLUMN)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(emit),
      .in_ready(windows_room),
      .in_data({tag, taps}),
      .out_valid(windows_valid),
      .out_ready(windows_ready),
      .out_full(windows_full),
      .out_data({windows_tag, windows_taps})
  );
endmodule
