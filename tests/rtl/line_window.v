// SPDX-License-Identifier: Apache-2.0
// KERNEL - 1 line memories and the registers of a window over a raster of samples, SAMPLES a step: the windows of the
// samples that lie job_radius rows and as many pixels behind, four edges after their last sample. A window of a smaller
// radius lies in the middle of the largest: its samples enter that many rows and steps behind the centre. What lies
// outside of the job's image is taken nearer to the centre until it is inside, or is the constant. `begin_job` starts a
// job, before its first step. Rows have more than two steps. `fault`: 1 does not write the line memories, 2 has no
// border to the right, 15 asks the line memories once more.
`include "memory_ports.vh"
module line_window #(
    parameter SAMPLES = 4,
    parameter LINE_SAMPLES = 2048,
    parameter KERNEL = 3,
    parameter BITS = 8
) (
    input wire       clk,
    input wire       rst,
    input wire [3:0] fault,

    input wire                   begin_job,
    input wire        [     2:0] job_radius,
    input wire        [     1:0] job_channels,
    input wire        [    15:0] job_row_steps,
    input wire        [     1:0] job_border,
    input wire        [BITS-1:0] job_border_value,
    input wire signed [    16:0] job_left,
    input wire signed [    16:0] job_right,
    input wire signed [    16:0] job_top,
    input wire signed [    16:0] job_bottom,

    input wire                    in_valid,
    input wire [SAMPLES*BITS-1:0] in_samples,

    output reg                                  out_valid,
    // Window [lane][row][column], rows and columns from the centre's -RADIUS on.
    output reg [SAMPLES*KERNEL*KERNEL*BITS-1:0] out_windows
);
  localparam RADIUS = KERNEL / 2;
  localparam CHANNELS = 3;
  localparam REACH = (RADIUS * CHANNELS + SAMPLES - 1) / SAMPLES;
  localparam WIDTH = (2 * REACH + 1) * SAMPLES;
  localparam DEPTH = LINE_SAMPLES / SAMPLES;
  localparam ADDRESS = $clog2(DEPTH);
  localparam STEP = SAMPLES * BITS;

  // Steps that a window reaches behind its centre, in whole rows (of a radius up to 3) and to either side.
  wire [5:0] across = {3'd0, job_radius} * {4'd0, job_channels};
  wire [17:0] rows_behind = (job_radius[0] ? {2'd0, job_row_steps} : 18'd0) +
                            (job_radius[1] ? {1'd0, job_row_steps, 1'b0} : 18'd0);
  wire [5:0] reach = (across + SAMPLES[5:0] - 6'd1) / SAMPLES[5:0];

  // Line memories: read at the edge that takes the step, with an output register; written when that is full.
  reg [15:0] position;
  reg valid_1, valid_2;
  reg [STEP-1:0] samples_1, samples_2;
  reg [ADDRESS-1:0] address_1, address_2;
  wire [STEP*(KERNEL-1)-1:0] lines;
  wire [STEP*KERNEL-1:0] column;
  genvar r, c, l, k;
  generate
    for (r = 0; r < KERNEL - 1; r = r + 1) begin : line
      reg [STEP-1:0] memory[0:DEPTH-1];
      reg [STEP-1:0] read, out;
      assign lines[r*STEP+:STEP] = out;
      always @(posedge clk) begin
        read <= memory[position[ADDRESS-1:0]];
        out <= read;
        if (valid_2 && fault != 4'd1) memory[address_2] <= column[(r+1)*STEP+:STEP];
      end
      `SIMPLE_DUAL_PORT(memory, valid_2, in_valid, fault == 4'd15)
    end
    // The row in which the samples enter is below all whose lines are full.
    for (r = 0; r < KERNEL; r = r + 1) begin : row_of_column
      if (r <= RADIUS) begin : above
        assign column[r*STEP+:STEP] = lines[r*STEP+:STEP];
      end else if (r == KERNEL - 1) begin : lowest
        assign column[r*STEP+:STEP] = samples_2;
      end else begin : below
        wire [2:0] radius = r[2:0] - RADIUS[2:0];
        assign column[r*STEP+:STEP] = job_radius == radius ? samples_2 : lines[r*STEP+:STEP];
      end
    end
  endgenerate

  // The window's registers, the newest step last in a row; where the windows in front of them are.
  reg [WIDTH*BITS*KERNEL-1:0] history;
  reg valid_3;
  reg [17:0] steps_left;
  reg signed [16:0] row, step;
  wire complete = valid_2 && steps_left == 18'd0;
  wire signed [16:0] steps = {1'b0, job_row_steps};
  wire wraps = step + 17'sd1 == steps;
  always @(posedge clk) begin
    if (rst) {valid_1, valid_2, valid_3, out_valid} <= 4'd0;
    else {valid_1, valid_2, valid_3, out_valid} <= {in_valid, valid_1, complete, valid_3};
    samples_1 <= in_samples;
    samples_2 <= samples_1;
    address_1 <= position[ADDRESS-1:0];
    address_2 <= address_1;
    if (begin_job) position <= 16'd0;
    else if (in_valid) position <= position + 16'd1 == job_row_steps ? 16'd0 : position + 16'd1;
    if (begin_job) begin
      steps_left <= rows_behind + {12'd0, reach};
      row <= 17'sd0;
      step <= -17'sd1;
    end else if (valid_2) begin
      if (steps_left != 18'd0) steps_left <= steps_left - 18'd1;
      else begin
        step <= wraps ? 17'sd0 : step + 17'sd1;
        if (wraps) row <= row + 17'sd1;
      end
    end
  end
  // A step enters `reach` steps behind the centre.
  generate
    for (r = 0; r < KERNEL; r = r + 1) begin : row_of_history
      for (k = 0; k <= 2 * REACH; k = k + 1) begin : step_of_row
        localparam AT = (r * (2 * REACH + 1) + k) * STEP;
        wire [STEP-1:0] fresh = column[r*STEP+:STEP];
        if (k == 2 * REACH) begin : newest
          always @(posedge clk) if (valid_2) history[AT+:STEP] <= fresh;
        end else if (k <= REACH) begin : older
          always @(posedge clk) if (valid_2) history[AT+:STEP] <= history[AT+STEP+:STEP];
        end else begin : newer
          wire [5:0] away = k[5:0] - REACH[5:0];
          always @(posedge clk) if (valid_2) history[AT+:STEP] <= reach == away ? fresh : history[AT+STEP+:STEP];
        end
      end
    end
  endgenerate

  // Which columns and rows around a centre lie inside the image. From the centre outwards, what does not is as its
  // neighbour towards the centre: column and row i are at 0, 1, -1, 2, -2 .. from it.
  wire bordered = job_border != 2'd0;
  wire constant = job_border == 2'd2;
  wire signed [16:0] first = step * $signed(SAMPLES[16:0]);
  wire [KERNEL-1:0] row_inside;
  generate
    for (k = 0; k < KERNEL; k = k + 1) begin : row_of_window
      localparam AWAY = k % 2 == 1 ? (k + 1) / 2 : -(k / 2);
      wire signed [16:0] y = row + $signed(AWAY[16:0]);
      assign row_inside[k] = k == 0 || (y >= job_top && y < job_bottom);
    end
    for (l = 0; l < SAMPLES; l = l + 1) begin : lane
      wire signed [16:0] sample = first + $signed(l[16:0]);
      for (c = 0; c < KERNEL; c = c + 1) begin : column_of_window
        localparam AWAY = c % 2 == 1 ? (c + 1) / 2 : -(c / 2);
        wire signed [16:0] x = sample + $signed(AWAY[16:0]) * $signed({15'd0, job_channels});
        wire inside_image = c == 0 || (x >= job_left && (x < job_right || fault == 4'd2));
        for (k = 0; k < KERNEL; k = k + 1) begin : tap
          localparam ROW = RADIUS + (k % 2 == 1 ? (k + 1) / 2 : -(k / 2));
          localparam CENTRE = (ROW * WIDTH + REACH * SAMPLES + l) * BITS;
          // As it lies in the registers, of one, two or three channels; with the columns' border; with the rows'.
          wire [BITS-1:0] held = job_channels == 2'd1 ? history[CENTRE+AWAY*BITS+:BITS] :
                                 job_channels == 2'd2 ? history[CENTRE+2*AWAY*BITS+:BITS] :
                                                        history[CENTRE+3*AWAY*BITS+:BITS];
          wire [BITS-1:0] across, down;
          if (c == 0) begin : centre_column
            assign across = held;
          end else begin : column
            assign across = bordered && !inside_image ? column_of_window[c<3?0 : c-2].tap[k].across : held;
          end
          if (k == 0) begin : centre_row
            assign down = across;
          end else begin : row
            assign down = bordered && !row_inside[k] ? tap[k<3?0 : k-2].down : across;
          end
          always @(posedge clk)
            out_windows[((l*KERNEL+ROW)*KERNEL+RADIUS+AWAY)*BITS+:BITS] <=
                constant && !(inside_image && row_inside[k]) ? job_border_value : down;
        end
      end
    end
  endgenerate
endmodule
