// SPDX-License-Identifier: Apache-2.0
/* verilator lint_off WIDTH */
/* verilator lint_off PINCONNECTEMPTY */

// The hidden state twice, as the line buffers read it by the word while the next is written by the block of units. The
// data come two reads later; `read_zero` makes them the state before a sequence.
module hidden_state #(
    parameter INPUT_CHANNELS = 8,
    parameter OUTPUT_CHANNELS = 8,
    parameter BLOCKS = 128,
    parameter ADDRESS_BITS = 16
) (
    input clk,
    input rst,

    input write,
    input write_half,
    input [$clog2(BLOCKS)-1:0] write_block,
    input [OUTPUT_CHANNELS*8-1:0] write_data,

    input read,
    input read_half,
    input read_zero,
    input [ADDRESS_BITS-1:0] read_address,
    output [INPUT_CHANNELS*8-1:0] read_data
);
  localparam READS = OUTPUT_CHANNELS / INPUT_CHANNELS;
  localparam PART_BITS = $clog2(READS);
  localparam BLOCK_BITS = $clog2(BLOCKS);
  wire [BLOCK_BITS+PART_BITS-1:0] place;
  generate
    if (READS == 1 << PART_BITS) begin : slice
      assign place = read_address;
    end else begin : counted
      // Words are read one after the other from the first one on, so that no address is divided.
      reg [BLOCK_BITS-1:0] next_block;
      reg [PART_BITS-1:0] next_part;
      wire [BLOCK_BITS-1:0] block = read_address == 0 ? 0 : next_block;
      wire [PART_BITS-1:0] part = read_address == 0 ? 0 : next_part;
      always @(posedge clk)
        if (read) begin
          next_block <= block + (part == READS - 1);
          next_part <= part == READS - 1 ? 0 : part + 1'b1;
        end
      assign place = {block, part};
    end
  endgenerate

  wire [INPUT_CHANNELS*8-1:0] word;
  reg zero1, zero2;
  always @(posedge clk) if (read) {zero2, zero1} <= {zero1, read_zero};
  assign read_data = zero2 ? {INPUT_CHANNELS * 8{1'b0}} : word;

  ping_pong #(
      .SEND(1), .WRITE_BYTES(OUTPUT_CHANNELS), .READ_BYTES(INPUT_CHANNELS), .HALF_BYTES(BLOCKS * OUTPUT_CHANNELS),
      .WRITE_ADDRESS_BITS(ADDRESS_BITS), .READ_ADDRESS_BITS(ADDRESS_BITS)
  ) halves (
      .clk, .rst, .fault(4'd0), .claim(1'b0), .claim_target(2'd0), .free(1'b0), .free_target(2'd0), .readable(),
      .write, .write_target({1'b0, write_half}), .write_address(write_block), .write_data,
      .read, .advance(read), .read_target({1'b0, read_half}), .read_address(place), .read_data(word)
  );
endmodule
