// SPDX-License-Identifier: Apache-2.0
// What follows from a kernel's parameters (docs/lut_kernels.md), for modules with INPUTS, INPUT_BITS, COEFFICIENT_BITS,
// FAITHFUL and SLICE_BITS, which are the address bits of a table: with 4 a CFGLUT5 gives two bits of a product, with 5 one.
localparam SLICES = (INPUT_BITS + SLICE_BITS - 1) / SLICE_BITS;
localparam PRODUCT = COEFFICIENT_BITS + SLICE_BITS;
localparam BITS_PER_LUT = SLICE_BITS == 4 ? 2 : 1;
localparam SUM = COEFFICIENT_BITS + INPUT_BITS + $clog2(INPUTS + 1);
localparam OUTPUT = FAITHFUL == 1 ? INPUT_BITS : SUM;
localparam WISHED_GUARD = $clog2(INPUTS * SLICES);
localparam GUARD = WISHED_GUARD < SUM - OUTPUT ? WISHED_GUARD : SUM - OUTPUT;
localparam BORDER = SUM - OUTPUT - GUARD;

function integer first_bit(input integer slice);
  first_bit = BORDER > SLICE_BITS * slice ? (BORDER - SLICE_BITS * slice) / BITS_PER_LUT * BITS_PER_LUT : 0;
endfunction
