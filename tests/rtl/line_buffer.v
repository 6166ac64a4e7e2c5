// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
// ROWS shift registers of job_columns words. A fill reads command_lines lines from the input buffer or the hidden state
// and moves every word through the cascade, the newest line last; a pass feeds every line back into itself and presents
// a column of all lines per edge. command_address is the first word of the first line: fill_base + block *
// fill_block_step + line * fill_line_step. The memory's two registers are clocked with read_enable; data must come two
// edges after its address. The hidden state's target 1 reads as zeros (the state before a sequence). With BLOCK the
// lines are a ring of block RAMs, of which a fill writes the oldest; a column passes their two registers, each of which
// moves on as soon as the next is free.
// `fault`: 1 takes a command before a fill's last word is in, 2 makes the lines one word too deep, 3 forgets
// fill_piece_step, 4 moves a fill's last line on by one word too few, 15 asks the block RAMs once more.
`include "memory_ports.vh"
module line_buffer #(
    parameter ROWS = 3,
    parameter INPUT_CHANNELS = 8,
    parameter LINE_COLUMNS = 256,
    parameter BLOCK = 0,
    parameter ADDRESS_BITS = 28
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input wire [            13:0] job_columns,
    input wire [            13:0] job_fill_columns,
    input wire [ADDRESS_BITS-1:0] job_fill_piece_step,
    input wire [ADDRESS_BITS-1:0] job_fill_line_step,
    input wire                    job_hidden_input,
    input wire                    job_input_select,

    input  wire                    command_valid,
    output wire                    command_ready,
    input  wire                    command_fill,
    input  wire                    command_zero_state,
    input  wire [ADDRESS_BITS-1:0] command_address,
    input  wire [             3:0] command_lines,

    output wire                        input_read_enable,
    output wire                        hidden_read_enable,
    output wire                        read_target,
    output wire [    ADDRESS_BITS-1:0] read_address,
    input  wire [INPUT_CHANNELS*8-1:0] input_read_data,
    input  wire [INPUT_CHANNELS*8-1:0] hidden_read_data,

    output wire                             columns_valid,
    input  wire                             columns_ready,
    output wire                             columns_full,
    output wire [ROWS*INPUT_CHANNELS*8-1:0] columns_bytes
);
  localparam WORD = INPUT_CHANNELS * 8;
  localparam DEPTH_BITS = LINE_COLUMNS > 1 ? $clog2(LINE_COLUMNS) : 1;

  reg reading, passing;
  reg [1:0] arriving;  // words in the memory's registers
  reg [13:0] column, word;
  reg [3:0] lines_left;
  reg [ADDRESS_BITS-1:0] address, piece_address, line_address;
  reg zero_state;

  wire columns_room;
  wire idle = !reading && !arriving[0] && (!arriving[1] || fault == 4'd1) && !passing;
  wire in_flight;  // columns in the registers of block RAMs
  assign command_ready = idle && !(command_fill && in_flight);
  wire take = command_valid && command_ready;
  wire start_fill = take && command_fill;

  // A fill: the word asked for at this edge, and the next.
  wire read = reading || start_fill;
  wire [13:0] column_now = reading || passing ? column : 14'd0;
  wire [13:0] word_now = reading ? word : 14'd0;
  wire [3:0] lines_now = reading ? lines_left : command_lines;
  wire [ADDRESS_BITS-1:0] piece_now = reading ? piece_address : command_address;
  wire [ADDRESS_BITS-1:0] line_now = reading ? line_address : command_address;
  wire last_column = column_now + 14'd1 == job_columns;
  wire last_word = word_now + 14'd1 == job_fill_columns;
  wire [ADDRESS_BITS-1:0] next_piece = piece_now + (fault == 4'd3 ? {ADDRESS_BITS{1'b0}} : job_fill_piece_step);
  wire [ADDRESS_BITS-1:0] next_line = line_now + job_fill_line_step;

  assign read_address = reading ? address : command_address;
  assign read_target = job_hidden_input ? (reading ? zero_state : command_zero_state) : job_input_select;
  wire enable = read || arriving[0];
  assign input_read_enable = enable && !job_hidden_input;
  assign hidden_read_enable = enable && job_hidden_input;

  // A pass: the column presented at this edge.
  wire place;
  wire present = (passing || (take && !command_fill)) && place;
  wire drop = fault == 4'd4 && arriving == 2'b10;
  wire write = arriving[1] && !drop;

  always @(posedge clk) begin
    if (rst) begin
      reading  <= 1'b0;
      passing  <= 1'b0;
      arriving <= 2'b00;
    end else begin
      arriving <= {arriving[0], read};
      if (read) reading <= !(last_column && lines_now == 4'd1);
      if (passing || (take && !command_fill)) passing <= !(present && last_column);
    end
    if (read || present) column <= last_column ? 14'd0 : column_now + 14'd1;
    else if (take) column <= 14'd0;
    if (start_fill) zero_state <= command_zero_state;
    if (read) begin
      word <= last_column || last_word ? 14'd0 : word_now + 14'd1;
      lines_left <= lines_now - {3'd0, last_column};
      address <= last_column ? next_line : last_word ? next_piece : read_address + 1'b1;
      piece_address <= last_column ? next_line : last_word ? next_piece : piece_now;
      line_address <= last_column ? next_line : line_now;
    end
  end

  wire [WORD-1:0] incoming = job_hidden_input ? hidden_read_data : input_read_data;
  wire [ROWS*WORD-1:0] heads;
  wire heads_valid;
  genvar b;
  generate
    if (BLOCK == 0) begin : registers
      wire [DEPTH_BITS-1:0] tap = job_columns[DEPTH_BITS-1:0] - {{(DEPTH_BITS - 1) {1'b0}}, fault != 4'd2};
      wire [ROWS*WORD+WORD-1:0] cascade = {incoming, heads};
      assign in_flight = 1'b0;
      assign place = columns_room;
      assign heads_valid = present;
      for (b = 0; b < ROWS * WORD; b = b + 1) begin : bit_of_line
        reg [LINE_COLUMNS-1:0] bits;
        always @(posedge clk)
          if (present || write) bits <= {bits[LINE_COLUMNS-2:0], present ? heads[b] : cascade[b+WORD]};
        assign heads[b] = bits[tap];
      end
    end else begin : ring
      reg read_valid, out_valid;
      reg [3:0] oldest;
      reg [13:0] written;
      wire last_written = written + 14'd1 == job_columns;
      wire advance = !out_valid || columns_room;
      wire [DEPTH_BITS-1:0] from = column_now[DEPTH_BITS-1:0] + {{(DEPTH_BITS - 1) {1'b0}}, fault == 4'd2};
      wire [ROWS*WORD-1:0] lines;
      wire [2*ROWS*WORD-1:0] turned = {lines, lines} >> (oldest * WORD);
      assign in_flight = read_valid || out_valid;
      assign place = !read_valid || advance;
      assign heads_valid = out_valid;
      assign heads = turned[ROWS*WORD-1:0];
      always @(posedge clk) begin
        if (rst) begin
          read_valid <= 1'b0;
          out_valid <= 1'b0;
          oldest <= 4'd0;
        end else begin
          read_valid <= present || !place;
          if (advance) out_valid <= read_valid;
          if (write && last_written) oldest <= oldest == ROWS - 1 ? 4'd0 : oldest + 4'd1;
        end
        if (start_fill) written <= 14'd0;
        else if (write) written <= last_written ? 14'd0 : written + 14'd1;
      end
      for (b = 0; b < ROWS; b = b + 1) begin : line
        reg [WORD-1:0] words[0:LINE_COLUMNS-1];
        reg [WORD-1:0] read_word, out_word;
        always @(posedge clk) begin
          if (write && oldest == b) words[written[DEPTH_BITS-1:0]] <= incoming;
          if (present) read_word <= words[from];
          if (advance) out_word <= read_word;
        end
        `SIMPLE_DUAL_PORT(words, write && oldest == b, present, fault == 4'd15)
        assign lines[b*WORD+:WORD] = out_word;
      end
    end
  endgenerate

  stream_register #(
      .WIDTH(ROWS * WORD)
  ) out (
      .clk(clk),
      .rst(rst),
      .fault(4'd0),
      .in_valid(heads_valid),
      .in_ready(columns_room),
      .in_data(heads),
      .out_valid(columns_valid),
      .out_ready(columns_ready),
      .out_full(columns_full),
      .out_data(columns_bytes)
  );
endmodule
