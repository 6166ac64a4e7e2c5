// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the tiled accelerator costs beyond estimate/coefficients.h, in the same words. The paper's own constants, found
// with Vivado (FAQ-CNN 3.2), are lost with its eqs. (2) and (6) to (10). Of Table 3 and the text survive: the joint
// build's 82.36 % LUT and 99.17 % DSP, the DSP build's 39.98 % LUT, the LUT build's 4.52 % DSP, BNN's 66.40 % LUT. Two
// constants are fitted, each to one of them; the others test the model.
namespace fansim::tiled::coefficients {

// Fitted: indexes of arrays, eq. (2)'s term without tile factors. The LUT build's 4.52 % are 114 slices; 32 requantise
// and 32 average.
constexpr int kIndexDsp = 50;
// Fitted: per bank of a store, address, enables and data of its two users (the term of eq. (8), glue of block RAM). It
// makes the joint build's LUTs 82.36 %.
constexpr double kLutPerBank = 20.81;

// Counted: the enable of a word of registers, from an address decoded once for all.
constexpr int kLutPerWordEnable = 1;

// Stated (2.4): level 2 is made of LUTs. Assumed: one per bit, that loads it or holds it.
constexpr int kLutPerLevel2Bit = 1;
// Counted: the set in use and the next.
constexpr int kFfPerLevel2Bit = 2;

// Counted: a single-precision adder without a slice: difference of exponents, exchange of 24-bit mantissas, alignment
// (a shifter's 2.5 LUTs per bit) with its sticky bit, sum, leading zeros, normalisation, exponent, rounding.
constexpr double kFloatAddLut = 9 + 2 * 24 + 24 * 2.5 + 10 + 27 + 30 + 24 * 2.5 + 9 + 31;
constexpr int kFloatAddFf = 4 * (24 + 9 + 8);  // counted: a rank per stage (tiled::EngineConfig::kFloatAdd)
// Counted: a single-precision product: 24 x 24 bits on two slices (25 x 18, UG479), exponent, normalisation, rounding.
constexpr int kFloatMultiplyDsp = 2;
constexpr double kFloatMultiplyLut = 9 + 24 + 31;

// Counted: a layer's bias, scale and shift per output channel; assumed: as many channels as AlexNet's and VGG-16's
// widest layers have.
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
