// SPDX-License-Identifier: Apache-2.0
// What follows from a kernel's parameters (docs/lut_kernels.md), for modules with INPUTS, INPUT_BITS, COEFFICIENT_BITS
// and FAITHFUL.
localparam SLICES = (INPUT_BITS + 3) / 4;
localparam PRODUCT = COEFFICIENT_BITS + 4;
localparam SUM = COEFFICIENT_BITS + INPUT_BITS + $clog2(INPUTS + 1);
localparam OUTPUT = FAITHFUL == 1 ? INPUT_BITS : SUM;
localparam WISHED_GUARD = $clog2(INPUTS * SLICES);
localparam GUARD = WISHED_GUARD < SUM - OUTPUT ? WISHED_GUARD : SUM - OUTPUT;
localparam BORDER = SUM - OUTPUT - GUARD;

function integer first_bit(input integer slice);
  first_bit = BORDER > 4 * slice ? (BORDER - 4 * slice) / 2 * 2 : 0;
endfunction
