// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/resources.h"

// This is the coefficient set `vivado`: what a structure costs in UltraScale+ fabric. "Counted" follows from the
// primitive; "assumed" is an engineer's figure without a citation; "fitted" was solved from a published total, so
// agreement with that total proves nothing. The set `yosys` is in yosys_coefficients.cpp; vendor cores, Fmax and power
// are the same in both.
namespace fansim::estimate::coefficients {

// Assumed: vendor IP costs base + width * per_bit, for data of 64 bits and more. The values are typical of Vivado
// reports for these cores, whose product guides (PG021, PG059, PG164) print no table for UltraScale+.
struct VendorIp {
  int lut, ff;
  double lut_per_bit, ff_per_bit;
};
constexpr VendorIp kAxiDma{1300, 1800, 8.0, 12.0};              // both channels, direct register mode
constexpr VendorIp kMemoryInterconnect{900, 1000, 14.0, 20.0};  // two managers to one port of the processing system
constexpr contract::Resources kControlInterconnect{0, 1500, 1800, 0};  // AXI4 to two AXI4-Lite subordinates
constexpr contract::Resources kResetBlock{0, 20, 40, 0};
constexpr int kDmaFifoSideBits = 9;  // assumed: strobes and last beside each beat

// Counted: a carry-chain adder takes one LUT per bit, and so does a 2:1 or 3:1 multiplexer in front of a register.
constexpr int kLutPerAdderBit = 1;
constexpr int kLutPerChoiceBit = 1;
// Counted: SRLC32E holds 32 bits. An n:1 multiplexer takes these LUT6s per bit, with the slice's F7 and F8
// multiplexers.
constexpr int kSrlDepth = 32;
constexpr int lut_per_mux_bit(int inputs) { return inputs <= 1 ? 0 : (inputs + 3) / 4; }
// Counted: RAM64M8, 64 x 7 bits with a write and a read port, takes the eight LUTs of a slice (UG574).
constexpr int kLutRamWords = 64, kLutRamBits = 7, kLutRamLuts = 8;
// Counted: a LUT6 is a 4:1 multiplexer, so it does two of the five stages of a shift by 0..31.
constexpr double kLutPerShifterBit = 2.5;
// Counted: a registered handshake of two entries holds each bit twice; a LUT6_2 selects between the entries for two
// bits.
constexpr int kFfPerStreamBit = 2;
constexpr double kLutPerStreamBit = 0.5;
// Counted: one LUT compares two bits, and one LUT per bit selects.
constexpr double kLutPerMaximumBit = 1.5;

// Assumed: a control machine takes this much next-state logic and comparison per bit of its counters and registers.
constexpr double kLutPerControlBit = 1.5;
constexpr int kRegisterBits = 18 * 32;   // counted: the core's registers, six with the geometry words of the third
constexpr int kLiteBits = 2 * (32 + 8);  // counted: one AXI4-Lite write and one read in progress
constexpr int kTagBits = 40;             // counted: what accompanies a window: entry, bank, row, first, last
constexpr int kNestCounterBits =
    9 * 14 + 5 * 28;                             // counted: loop counters; fill, weight, bias, entry, output addresses
constexpr int kReceiverBits = 3 * (2 * 28 + 8);  // counted: three receivers with address, count and state
constexpr int kPoolAxisBits = 14 + 16;           // counted: a window's number and where it starts

// The recurrent part looks up every channel's gate at once (two reads per table). Then it does one unit per cycle, with
// three products, three 32-bit sums and two 16-bit saturations (arith/recurrent.h).
constexpr int kTableDepth = 4096, kTableBits = 16, kTablePorts = 2;  // arith::SigmoidTable
constexpr int kTanhLutPerChannel = 2 * 16;                           // counted: 2x saturated before, 2s - 1 after
constexpr int kCellMultipliers = 3;
constexpr int kCellAdderBits = 3 * 32 + 2 * 16;
constexpr int kHiddenWords = 512;  // assumed: words of hidden state, of the last step and of this one
constexpr int kCellUnits = 2048;   // assumed: units of cell state

// The following are the delays behind Fmax, in nanoseconds on UltraScale+ -2 at 0.85 V; docs/estimate.md works one path
// out by hand. They are assumed unless marked as fitted, because Vivado does not publish its libraries of delays.
constexpr double kReferenceBramMhz = 738;              // DS925: a device's fabric is assumed slower by the same factor
                                                       // as its block RAM
constexpr double kRegisterNs = 0.15;                   // clock to output and set-up
constexpr double kBramOutNs = 0.30, kBramInNs = 0.35;  // output register to fabric; fabric to address, enables and data
constexpr double kDspOutNs = 0.30, kDspInNs = 0.30;    // from register P; to registers A, B, D
constexpr double kMultiplyNs = 1e3 / 544;              // DS925: DSP48E2, two registers, without MREG
constexpr double kLutNs = 0.12;
constexpr double kChainNs = 0.20, kCarry8Ns = 0.03;  // into and out of a carry chain, and through each CARRY8
// Fitted: the UESTC design met 4 ns with 0.041 ns to spare on the ZCU102, so its limiting path takes 3.959 ns.
constexpr double kNetNs = 0.505;
constexpr double kNsPerClb = 0.02;  // for each CLB that a net crosses
// Bounded: where LUTs or block RAMs fill the device, nets get longer by this factor times the square of the fill.
// FAQ-CNN bounds it: its fullest builds closed at 200 MHz.
constexpr double kCrowding = 0.30;
constexpr double kDieCrossingNs = 1.0;
// Assumed: results after routing scatter by this fraction with seed, directives and floor plan.
constexpr double kFmaxUncertainty = 0.15;
constexpr int kBramRowWords = 4096;  // rows of block RAMs in a deep memory: 4K x 9, the deepest form with whole bytes

// The following power figures assume 12.5 % toggling, Vivado's default without activity data. Assumed: picojoules per
// instance and cycle at 16 nm and 0.85 V. They scale with the square of another device's voltage, and double at 28 nm.
constexpr double kDspPj = 3.0;
constexpr double kBram36Pj = 6.0;
constexpr double kLutPj = 0.033;  // with its share of routing
constexpr double kFfPj = 0.02;    // with its share of the clock tree
constexpr double kReferenceVolts = 0.85;
constexpr double k28nm = 2.0;
// Fitted, so that agreement with the total proves nothing: the thesis (5.3.2) attributes more than 60 % of 4.123 W
// dynamic power to the processing system, that is 2.47 W or more.
constexpr double kThesisDynamicW = 4.123;
constexpr double kProcessingSystemW = 2.6;
// This is from published Vivado reports of designs on the Z-7020; others report 1.256 there, and 1.569 on the Z-7045.
constexpr double kProcessingSystem7000W = 1.53;
// This is the leakage of the processing system: Vivado's report of a published design on the ZCU106 has 0.100 W.
constexpr double kProcessingSystemStaticW = 0.10;
// Fitted: the rest of the thesis's 0.334 W on a device of 274,080 LUTs. Assumed: the fabric's leakage is proportional
// to its LUTs.
constexpr double kStaticWPerLut = 0.234 / 274080;

}  // namespace fansim::estimate::coefficients
