// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
`include "tiled_job.vh"

// Complete sums become outputs: LANES channels of an entry at an edge, all entries in the first channels, then in the
// next ones; the FC engine's entry by entry. With pooling an entry takes an edge for each column of windows that it closes
// and each output that this completes. Sums, records and outputs lie outside: sums answer after one edge, records after
// two, both held until `move`; an output's write and its half's token leave at one edge.
// fault 1: rounds the other way; 2: no ReLU; 3: a mean is never rounded up; 4: frees the sums' half a read too early;
// 5: waits for no free half of the outputs; 6: the second channels begin at the first's; 7: a column of windows that
// closes beside another takes no edge; 15: asks the line memories once more.
module post_process #(
    parameter CONV_TM = 4,
    parameter FC_TM = 4,
    parameter LANES = 3,
    parameter ACCUMULATOR_BITS = 32,
    parameter OPERAND_BITS = 27,
    parameter HALF_UP = 1,
    parameter VALUE_BITS = 8,
    parameter OPEN = 2,
    parameter LINE_WORDS = 64
) (
    input clk,
    input rst,
    input [3:0] fault,

    input job_valid,
    output job_ready,
    input [`JOB] job_image,
    input parameters_valid,
    output parameters_ready,
    input output_freed_valid,
    output output_freed_ready,

    input conv_sums_valid,
    output conv_sums_ready,
    input conv_sums_half,
    output conv_freed_valid,
    input conv_freed_ready,
    output conv_freed_full,
    output conv_freed_half,
    input fc_sums_valid,
    output fc_sums_ready,
    input fc_sums_half,
    output fc_freed_valid,
    input fc_freed_ready,
    output fc_freed_full,
    output fc_freed_half,

    output go,  // a read, or what one completes
    output move,
    output conv_read,
    output fc_read,
    output read_half,
    output [15:0] read_entry,
    input [CONV_TM*ACCUMULATOR_BITS-1:0] conv_data,
    input [FC_TM*ACCUMULATOR_BITS-1:0] fc_data,
    output [15:0] record_index,
    input [LANES*64-1:0] record_data,

    // Value i to write_index + i * write_pitch.
    output write,
    output write_half,
    output [31:0] write_index,
    output [31:0] write_pitch,
    output [15:0] write_count,
    output [LANES*16-1:0] write_data,

    output output_valid,
    input output_ready,
    output output_full,
    output output_half
);
  reg [`JOB] job;
  reg busy, have_parameters, open, half, out_half;
  wire fc = job[`JOB_ENGINE] == 2;
  wire pools = job[`JOB_POOL] && !fc;
  wire room;
  wire [8:0] ends;  // tiles, in the pipeline
  assign move = !ends[8] || room;
  assign job_ready = !busy && move;

  // What a read needs.
  reg [7:0] free_outputs;
  wire [7:0] now_free = free_outputs + output_freed_valid;
  assign output_freed_ready = 1;
  assign parameters_ready = busy && move && !have_parameters;
  wire now_parameters = have_parameters || parameters_valid;
  wire may_open = busy && move && now_parameters && !open && (now_free != 0 || fault == 5);
  assign conv_sums_ready = may_open && !fc;
  assign fc_sums_ready = may_open && fc;
  wire opening = may_open && (fc ? fc_sums_valid : conv_sums_valid);
  wire now_half = open ? half : fc ? fc_sums_half : conv_sums_half;
  wire [1:0] freed_room;
  wire last_read;
  assign go = busy && move && now_parameters && (open || opening) && (!last_read || freed_room[fc]);
  wire finish = go && last_read;

  // Where the tile is.
  wire [15:0] m, y, x, rows, columns, sums_row, sums_column, sums_rows, sums_columns;
  wire layer_last;
  tile_walk #(
      .INPUTS(0)
  ) walk (
      .clk, .rst, .job, .tm(16'(CONV_TM)), .tn(16'd1), .next(finish && !fc), .m, .y, .x, .n(), .inputs_last(),
      .place_last(), .last(layer_last)
  );
  tile_regions regions (
      .job, .y, .x, .rows, .columns, .sums_row, .sums_column, .sums_rows, .sums_columns, .in_row(), .in_column(),
      .in_rows(), .in_columns()
  );

  // The entry, its first channel at hand, and the edge of those that it takes.
  reg [15:0] entry, row, column, channel, edge_column, edge_row, vector;
  wire [15:0] left = job[`JOB_OUT_CHANNELS] - (fc ? vector : m);
  wire [15:0] tm = fc ? FC_TM : CONV_TM;
  wire [15:0] channels = left < tm ? left : tm;
  wire channels_last = channel + LANES >= channels;
  wire [15:0] first_row, first_column, rows_closed, columns_closed;
  wire [OPEN-1:0] covers, opens, line_covers, line_opens;
  wire signed [33:0] row_margin = $signed({26'd0, job[`JOB_POOL_PADDING]}) + $signed({18'd0, sums_row}) - y * {18'd0, job[`JOB_POOL_STRIDE]};
  wire signed [33:0] column_margin = $signed({26'd0, job[`JOB_POOL_PADDING]}) + $signed({18'd0, sums_column}) - x * {18'd0, job[`JOB_POOL_STRIDE]};
  pool_cover #(
      .OPEN(OPEN)
  ) vertical (
      .at(row), .kernel(job[`JOB_POOL_KERNEL]), .stride(job[`JOB_POOL_STRIDE]), .margin(row_margin), .size(sums_rows),
      .windows(rows), .first(first_row), .closed(rows_closed), .covers(line_covers), .opens(line_opens)
  );
  pool_cover #(
      .OPEN(OPEN)
  ) horizontal (
      .at(column), .kernel(job[`JOB_POOL_KERNEL]), .stride(job[`JOB_POOL_STRIDE]), .margin(column_margin),
      .size(sums_columns), .windows(columns), .first(first_column), .closed(columns_closed), .covers, .opens
  );
  wire [15:0] per_column = rows_closed == 0 ? 1 : rows_closed;
  wire column_done = edge_row + 1 >= per_column;
  wire entry_done = !pools || columns_closed == 0 || (column_done && (edge_column + 1 >= columns_closed || fault == 7));
  wire starts = edge_row == 0 && edge_column == 0;
  wire columns_last = column + 1 == sums_columns;
  wire map_last = columns_last && row + 1 == sums_rows;
  wire vector_last = left <= FC_TM;
  assign last_read = entry_done && channels_last && (fc ? vector_last : map_last);
  always @(posedge clk)
    if (rst) begin
      {busy, open, out_half, have_parameters} <= 0;
      free_outputs <= 2;
      {entry, row, column, channel, edge_column, edge_row, vector} <= 0;
    end else begin
      if (job_valid && job_ready) job <= job_image;
      if (job_valid && job_ready) busy <= 1;
      else if (finish && (fc || layer_last)) busy <= 0;
      have_parameters <= busy && (move ? now_parameters : have_parameters);
      if (move) open <= (open || opening) && !finish;
      half <= now_half;
      free_outputs <= now_free - opening;
      if (finish) out_half <= !out_half;
      if (go) begin
        edge_row <= entry_done || column_done ? 0 : edge_row + 1;
        edge_column <= entry_done ? 0 : column_done ? edge_column + 1 : edge_column;
        if (fc) begin
          channel <= channels_last ? 0 : channel + LANES;
          if (channels_last) begin
            vector <= vector_last ? 0 : vector + FC_TM;
            entry <= vector_last ? 0 : entry + 1;
          end
        end else if (entry_done) begin
          column <= columns_last ? 0 : column + 1;
          if (columns_last) row <= map_last ? 0 : row + 1;
          entry <= map_last ? 0 : entry + 1;
          if (map_last) channel <= channels_last ? 0 : channel + LANES;
        end
      end
    end

  assign conv_read = go && starts && !fc;
  assign fc_read = go && starts && fc;
  assign read_half = now_half;
  assign read_entry = entry;
  assign record_index = (fc ? vector : m) + (fault == 6 ? 0 : channel);

  // What goes beside the data, from the read on.
  wire [15:0] out_row = first_row + edge_row, out_column = first_column + edge_column;
  wire [31:0] out_size = rows * {16'd0, columns};
  wire [15:0] lanes_left = channels - channel;
  wire [15:0] lanes = lanes_left < LANES ? lanes_left : LANES;
  wire writes = !pools || (columns_closed != 0 && rows_closed != 0);
  wire [31:0] index = fc ? vector + channel : channel * out_size + (pools ? out_row * {16'd0, columns} + out_column : {16'd0, entry});
  wire [31:0] pitch = fc ? 1 : out_size;
  wire [15:0] area = job[`JOB_POOL_KERNEL] * {8'd0, job[`JOB_POOL_KERNEL]};
  wire [16:0] reciprocal = area == 1 ? 0 : (32'd65536 + area / 2) / area;
  wire [OPEN-1:0] one = 1;
  localparam WINDOW = 17 + 2 + 5 * OPEN + 17 + OPEN;
  wire [WINDOW-1:0] window = {go && starts, pools, job[`JOB_AVERAGE], reciprocal, covers, opens, line_covers, line_opens,
                              go && columns_closed != 0 && edge_row == 0, one << out_column % OPEN, one << out_row % OPEN,
                              out_column[14:0]};
  localparam FORMAT = 18;
  wire [FORMAT-1:0] format = {job[`JOB_OUT_ZERO], job[`JOB_OUT_UNSIGNED], job[`JOB_RELU]};
  wire [81:0] place = {go && writes, out_half, lanes, index, pitch};

  // Stages 0 to 8: behind the read, its output register, bias, multiplier, round, saturate, pool.
  wire [15:0] channel1;
  wire fc0;
  wire [FORMAT-1:0] format6, format7;
  wire [WINDOW-1:0] window7;
  delay_line #(.WIDTH(1), .EDGES(1)) engine_stage (.clk, .enable(move), .in(fc), .out(fc0));
  delay_line #(.WIDTH(16), .EDGES(2)) channel_stage (.clk, .enable(move), .in(channel), .out(channel1));
  delay_line #(.WIDTH(FORMAT), .EDGES(7)) format_stage (.clk, .enable(move), .in(format), .out(format6));
  delay_line #(.WIDTH(FORMAT), .EDGES(1)) pool_format_stage (.clk, .enable(move), .in(format6), .out(format7));
  delay_line #(.WIDTH(WINDOW), .EDGES(8)) window_stage (.clk, .enable(move), .in(window), .out(window7));
  wire writes8;
  delay_line #(
      .WIDTH(82), .EDGES(9)
  ) place_stage (
      .clk, .enable(move), .in(place), .out({writes8, write_half, write_count, write_index, write_pitch})
  );
  reg [8:0] end_of_tile, valid;
  always @(posedge clk)
    if (rst) {end_of_tile, valid} <= 0;
    else if (move) begin
      end_of_tile <= {end_of_tile[7:0], finish};
      valid <= {valid[7:0], go};
    end
  assign ends = end_of_tile;
  assign write = move && valid[8] && writes8;

  wire takes, pools7, average7, closes;
  wire [16:0] reciprocal7;
  wire [OPEN-1:0] covers7, opens7, line_covers7, line_opens7, column7, line7;
  wire [14:0] word7;
  assign {takes, pools7, average7, reciprocal7, covers7, opens7, line_covers7, line_opens7, closes, column7, line7,
          word7} = window7;
  localparam MOST = CONV_TM > FC_TM ? CONV_TM : FC_TM;
  reg [(MOST+LANES)*ACCUMULATOR_BITS-1:0] sums;
  always @(posedge clk) if (move) sums <= fc0 ? fc_data : conv_data;
  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : lane
      post_lane #(
          .ACCUMULATOR_BITS(ACCUMULATOR_BITS), .OPERAND_BITS(OPERAND_BITS), .HALF_UP(HALF_UP), .VALUE_BITS(VALUE_BITS),
          .OPEN(OPEN), .WORDS(LINE_WORDS)
      ) unit (
          .clk, .move, .fault({fault == 15, fault == 3, fault == 2, fault == 1}),
          .sum(sums[(channel1+i)*ACCUMULATOR_BITS+:ACCUMULATOR_BITS]), .record(record_data[64*i+:64]),
          .zero(format6[17:2]), .is_unsigned(format6[1]), .relu(format6[0]), .take(takes && valid[7]), .pools(pools7),
          .average(average7), .pool_zero(format7[17:2]), .pool_unsigned(format7[1]), .reciprocal(reciprocal7),
          .covers(covers7), .opens(opens7), .closes(closes && valid[7]), .column(column7), .word({1'b0, word7}),
          .line_covers(line_covers7), .line_opens(line_opens7), .line(line7), .value(write_data[16*i+:16])
      );
    end
  endgenerate

  // The half is free with its last read, and complete behind the last stage.
  wire [1:0] freed_valid, freed_full, freed_half;
  wire [1:0] freed_ready = {fc_freed_ready, conv_freed_ready};
  assign {fc_freed_valid, conv_freed_valid} = freed_valid;
  assign {fc_freed_full, conv_freed_full} = freed_full;
  assign {fc_freed_half, conv_freed_half} = freed_half;
  // Fault 4: with the entry's first edge.
  wire frees = fault == 4 ? go && starts && channels_last && (fc ? vector_last : map_last) : finish;
  generate
    for (i = 0; i < 2; i = i + 1) begin : freed
      stream_register #(
          .WIDTH(1)
      ) token (
          .clk, .rst, .fault(4'd0), .in_valid(frees && fc == i), .in_ready(freed_room[i]), .in_data(now_half),
          .out_valid(freed_valid[i]), .out_ready(freed_ready[i]), .out_full(freed_full[i]), .out_data(freed_half[i])
      );
    end
  endgenerate
  wire half8;
  delay_line #(.WIDTH(1), .EDGES(9)) half_stage (.clk, .enable(move), .in(out_half), .out(half8));
  stream_register #(
      .WIDTH(1)
  ) halves (
      .clk, .rst, .fault(4'd0), .in_valid(ends[8]), .in_ready(room), .in_data(half8), .out_valid(output_valid),
      .out_ready(output_ready), .out_full(output_full), .out_data(output_half)
  );
endmodule
