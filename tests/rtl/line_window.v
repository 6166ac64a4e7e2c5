// SPDX-License-Identifier: Apache-2.0
// KERNEL - 1 line memories and the registers of a window over a raster of samples, SAMPLES a step: the windows of the
// samples that lie job_radius rows and as many pixels behind, four edges after their last sample. What lies outside of
// the job's image is taken nearer to the centre until it is inside, or is the constant. `begin` starts a job. Rows have
// more than two steps. `fault`: 1 does not write the line memories, 2 has no border to the right.
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

  // Steps that a window reaches to either side.
  wire [5:0] across = {3'd0, job_radius} * {4'd0, job_channels};
  wire [5:0] reach = (across + SAMPLES[5:0] - 6'd1) / SAMPLES[5:0];

  // Line memories: read at the edge that takes the step, with an output register; written when that is full.
  reg [15:0] position;
  reg valid_1, valid_2;
  reg [STEP-1:0] samples_1, samples_2;
  reg [ADDRESS-1:0] address_1, address_2;
  wire [STEP*(KERNEL-1)-1:0] lines;
  wire [STEP*KERNEL-1:0] column = {samples_2, lines};
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
    end
  endgenerate

  // The window's registers, the newest step last in a row; where the windows in front of them are.
  reg [WIDTH*BITS*KERNEL-1:0] history;
  reg valid_3;
  reg [17:0] before;
  reg signed [16:0] row, step;
  wire complete = valid_2 && before == 18'd0;
  wire signed [16:0] steps = {1'b0, job_row_steps};
  wire wraps = step + 17'sd1 == steps;
  integer i;
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
      before <= {15'd0, job_radius} * {2'd0, job_row_steps} + {12'd0, reach};
      row <= 17'sd0;
      step <= -17'sd1;
    end else if (valid_2) begin
      if (before != 18'd0) before <= before - 18'd1;
      else begin
        step <= wraps ? 17'sd0 : step + 17'sd1;
        if (wraps) row <= row + 17'sd1;
      end
    end
    if (valid_2)
      for (i = 0; i < KERNEL; i = i + 1)
        history[i*WIDTH*BITS+:WIDTH*BITS] <= {column[i*STEP+:STEP], history[i*WIDTH*BITS+STEP+:WIDTH*BITS-STEP]};
  end

  // What of the columns and rows around a centre lies inside the image.
  wire signed [16:0] first = step * $signed(SAMPLES[16:0]);
  wire [KERNEL-1:0] row_inside;
  generate
    for (r = 0; r < KERNEL; r = r + 1) begin : row_of_window
      wire signed [16:0] y = row + $signed(r[16:0]) - $signed(RADIUS[16:0]);
      assign row_inside[r] = y >= job_top && y < job_bottom;
    end
    for (l = 0; l < SAMPLES; l = l + 1) begin : lane
      wire signed [16:0] sample = first + $signed(l[16:0]);
      // The window as it lies in the registers: of one, two or three channels; the centre `reach` steps back.
      wire [KERNEL*KERNEL*BITS-1:0] taps;
      wire [KERNEL-1:0] inside;
      for (c = 0; c < KERNEL; c = c + 1) begin : column_of_window
        wire signed [16:0] away = ($signed(c[16:0]) - $signed(RADIUS[16:0])) * $signed({15'd0, job_channels});
        wire signed [16:0] x = sample + away;
        assign inside[c] = x >= job_left && (x < job_right || fault == 4'd2);
        wire signed [16:0] at = $signed(WIDTH[16:0]) - ($signed({11'd0, reach}) + 17'sd1) * $signed(SAMPLES[16:0])
                                + $signed(l[16:0]) + away;
        for (k = 0; k < KERNEL; k = k + 1) begin : of_row
          reg [BITS-1:0] tap;
          integer n;
          always @* begin
            tap = {BITS{1'b0}};
            for (n = 0; n < WIDTH; n = n + 1)
              if (at == $signed(n[16:0])) tap = history[(k*WIDTH+n)*BITS+:BITS];
          end
          assign taps[(k*KERNEL+c)*BITS+:BITS] = tap;
        end
      end
      // From the centre outwards: what is outside is as its neighbour towards the centre.
      reg [KERNEL*KERNEL*BITS-1:0] bordered;
      reg [KERNEL*KERNEL-1:0] outside;
      integer y, x, a, b;
      always @* begin
        bordered = taps;
        outside = {KERNEL * KERNEL{1'b0}};
        if (job_border != 2'd0) begin
          for (y = 0; y < KERNEL; y = y + 1)
            for (x = 1; x <= RADIUS; x = x + 1) begin
              a = y * KERNEL + RADIUS + x;
              b = y * KERNEL + RADIUS - x;
              if (!inside[RADIUS+x]) begin
                bordered[a*BITS+:BITS] = bordered[(a-1)*BITS+:BITS];
                outside[a] = 1'b1;
              end
              if (!inside[RADIUS-x]) begin
                bordered[b*BITS+:BITS] = bordered[(b+1)*BITS+:BITS];
                outside[b] = 1'b1;
              end
            end
          for (y = 1; y <= RADIUS; y = y + 1)
            for (x = 0; x < KERNEL; x = x + 1) begin
              a = (RADIUS + y) * KERNEL + x;
              b = (RADIUS - y) * KERNEL + x;
              if (!row_inside[RADIUS+y]) begin
                bordered[a*BITS+:BITS] = bordered[(a-KERNEL)*BITS+:BITS];
                outside[a] = 1'b1;
              end
              if (!row_inside[RADIUS-y]) begin
                bordered[b*BITS+:BITS] = bordered[(b+KERNEL)*BITS+:BITS];
                outside[b] = 1'b1;
              end
            end
          if (job_border == 2'd2)
            for (x = 0; x < KERNEL * KERNEL; x = x + 1)
              if (outside[x]) bordered[x*BITS+:BITS] = job_border_value;
        end
      end
      always @(posedge clk) out_windows[l*KERNEL*KERNEL*BITS+:KERNEL*KERNEL*BITS] <= bordered;
    end
  endgenerate
endmodule
