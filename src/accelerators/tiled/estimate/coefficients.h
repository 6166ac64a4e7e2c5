// SPDX-License-Identifier: Apache-2.0
#pragma once

// These are the costs of the tiled accelerator beyond estimate/coefficients.h, in the same terms. The paper's own
// constants, found with Vivado (FAQ-CNN 3.2), are lost with its eqs. (2) and (6) to (10). These values of Table 3 and
// the text survive: the joint build's 82.36 % LUT and 99.17 % DSP, the DSP build's 39.98 % LUT, the LUT build's 4.52 %
// DSP, and BNN's 66.40 % LUT. Two constants are fitted, each to one of them; the other values test the model.
namespace fansim::tiled::coefficients {

// Fitted: indexes of arrays, the term of eq. (2) without tile factors. The LUT build's 4.52 % are 114 slices, of which
// 32 requantise and 32 average.
constexpr int kIndexDsp = 50;
// Fitted: for each bank of a store, the address, enables and data of its two users (the term of eq. (8), the glue logic
// of block RAM). It makes the joint build's LUTs 82.36 %.
constexpr double kLutPerBank = 20.81;

// Counted: the enable of a word of registers, from an address that is decoded once for all.
constexpr int kLutPerWordEnable = 1;

// Stated (2.4): level 2 is made of LUTs. Assumed: one LUT per bit loads it or holds it.
constexpr int kLutPerLevel2Bit = 1;
// Counted: the set in use and the next one.
constexpr int kFfPerLevel2Bit = 2;

// Counted: a single-precision adder without a slice takes the difference of exponents, the exchange of 24-bit
// mantissas, the alignment (a shifter's 2.5 LUTs per bit) with its sticky bit, the sum, leading zeros, normalisation,
// exponent and rounding.
constexpr double kFloatAddLut = 9 + 2 * 24 + 24 * 2.5 + 10 + 27 + 30 + 24 * 2.5 + 9 + 31;
constexpr int kFloatAddFf = 4 * (24 + 9 + 8);  // counted: one stage of registers for each of
                                               // tiled::EngineConfig::kFloatAdd
// Counted: a single-precision product takes 24 x 24 bits on two slices (25 x 18, UG479), exponent, normalisation and
// rounding.
constexpr int kFloatMultiplyDsp = 2;
constexpr double kFloatMultiplyLut = 9 + 24 + 31;

// Counted: a layer's bias, scale and shift for each output channel. Assumed: as many channels as the widest layers of
// AlexNet and VGG-16 have.
constexpr int kParameterBits = 32 + 16 + 8, kParameterChannels = 4096;
constexpr int kScaleBits = 15;       // arith::Requantise
constexpr int kReciprocalBits = 17;  // of 1 / (pooling window), docs/networks.md

constexpr int kJobBits = 24 * 32;                                    // counted: tiled::JobImage
constexpr int kLoaderBits = 6 * 16 + 3 * 32;                         // counted: loops of the nest, address, values left
constexpr int kReaderBits = 2 * 32 + 16;                             // counted: address, beats and bursts of a run
constexpr int kWalkerBits = 8 * 16;                                  // counted: loops of the nest within a tile
constexpr int kFifoLuts = 8, kFifoLutBits = 14, kFifoLutWords = 32;  // counted: UG574, RAM32M16
constexpr int kAddressChannelBits = 64;  // assumed: address, length and attributes of an AXI address channel

}  // namespace fansim::tiled::coefficients
