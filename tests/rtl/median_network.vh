// SPDX-License-Identifier: Apache-2.0
// Networks of exchanges that bring the median of VALUES values to the middle, for a module with VALUES and NETWORK: 0 the
// nineteen exchanges for nine, or of a merge sort those that the median needs; 1 all values in order; 2 of a bubble sort
// those that the median needs. Of each layer and value seven bits: is it exchanged, is it the pair's high end, with whom.
localparam MOST_EXCHANGES = 320;
localparam MOST_LAYERS = 64;
localparam ROW = 7 * VALUES;
localparam [151:0] NINETEEN = 152'h12_45_78_01_34_67_12_45_78_03_58_47_36_14_25_47_42_64_42;
localparam [199:0] SORT_OF_NINE = 200'h03_17_25_48_07_24_38_56_02_13_45_78_14_36_57_01_24_35_68_23_45_67_12_34_56;

// An exchange has ten bits, low end and high end; bits after the last exchange are zero.
function [10*MOST_EXCHANGES-1:0] all_exchanges(input integer unused);
  integer n, p, k, j, i;
  begin
    all_exchanges = {10 * MOST_EXCHANGES{1'b0}};
    n = 0;
    if (NETWORK == 2) begin
      for (j = VALUES - 1; j >= VALUES / 2; j = j - 1)
      for (i = 0; i < j; i = i + 1) begin
        all_exchanges[10*n+:10] = {i[4:0], i[4:0] + 5'd1};
        n = n + 1;
      end
    end else if (VALUES == 9) begin
      for (i = 0; i < (NETWORK == 0 ? 19 : 25); i = i + 1)
      all_exchanges[10*i+:10] = NETWORK == 0 ? {1'b0, NINETEEN[8*(18-i)+4+:4], 1'b0, NINETEEN[8*(18-i)+:4]} :
                                               {1'b0, SORT_OF_NINE[8*(24-i)+4+:4], 1'b0, SORT_OF_NINE[8*(24-i)+:4]};
    end else begin
      for (p = 1; p < VALUES; p = 2 * p)
      for (k = p; k >= 1; k = k / 2)
      for (j = k % p; j + k < VALUES; j = j + 2 * k)
      for (i = 0; i < k && i + j + k < VALUES; i = i + 1)
      if ((i + j) / (2 * p) == (i + j + k) / (2 * p)) begin
        all_exchanges[10*n+:10] = {i[4:0] + j[4:0], i[4:0] + j[4:0] + k[4:0]};
        n = n + 1;
      end
    end
  end
endfunction
localparam [10*MOST_EXCHANGES-1:0] ALL = all_exchanges(0);

// From the last on: those of which either end goes on to the median.
function [MOST_EXCHANGES-1:0] needed(input integer unused);
  integer n;
  reg [31:0] wanted;
  begin
    wanted = 32'd1 << VALUES / 2;
    for (n = MOST_EXCHANGES - 1; n >= 0; n = n - 1) begin
      needed[n] = ALL[10*n+:10] != 10'd0 && (NETWORK == 1 || wanted[ALL[10*n+5+:5]] || wanted[ALL[10*n+:5]]);
      if (needed[n]) begin
        wanted[ALL[10*n+5+:5]] = 1'b1;
        wanted[ALL[10*n+:5]] = 1'b1;
      end
    end
  end
endfunction
localparam [MOST_EXCHANGES-1:0] NEEDED = needed(0);

// Each exchange in the first layer in which both of its values are there.
function [ROW*MOST_LAYERS-1:0] layers(input integer unused);
  integer n;
  reg [4:0] low, high;
  reg [6*VALUES-1:0] free;
  reg [5:0] at;
  begin
    layers = {ROW * MOST_LAYERS{1'b0}};
    free = {6 * VALUES{1'b0}};
    for (n = 0; n < MOST_EXCHANGES; n = n + 1)
    if (NEEDED[n]) begin
      low = ALL[10*n+5+:5];
      high = ALL[10*n+:5];
      at = free[6*low+:6] > free[6*high+:6] ? free[6*low+:6] : free[6*high+:6];
      layers[ROW*at+7*low+:7] = {2'b10, high};
      layers[ROW*at+7*high+:7] = {2'b11, low};
      free[6*low+:6] = at + 6'd1;
      free[6*high+:6] = at + 6'd1;
    end
  end
endfunction
localparam [ROW*MOST_LAYERS-1:0] LAYERS = layers(0);

function integer depth(input integer unused);
  integer at;
  begin
    depth = 0;
    for (at = 0; at < MOST_LAYERS; at = at + 1) if (LAYERS[ROW*at+:ROW] != {ROW{1'b0}}) depth = at + 1;
  end
endfunction
localparam DEPTH = depth(0);
