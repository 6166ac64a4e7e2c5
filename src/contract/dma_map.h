// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Register map and descriptor of the AXI DMA (PG021, "Register Space" and "Scatter Gather Descriptor").
namespace fansim::contract::dma_map {

// Byte offsets of registers. A register of S2MM lies kHalf above the MM2S register of the same meaning.
constexpr std::uint32_t kMm2sDmacr = 0x00;
constexpr std::uint32_t kMm2sDmasr = 0x04;
constexpr std::uint32_t kMm2sCurdesc = 0x08;
constexpr std::uint32_t kMm2sCurdescMsb = 0x0c;
constexpr std::uint32_t kMm2sTaildesc = 0x10;
constexpr std::uint32_t kMm2sTaildescMsb = 0x14;
constexpr std::uint32_t kMm2sSa = 0x18;
constexpr std::uint32_t kMm2sSaMsb = 0x1c;
constexpr std::uint32_t kMm2sLength = 0x28;
constexpr std::uint32_t kHalf = 0x30;
constexpr std::uint32_t kS2mmDmacr = kHalf + kMm2sDmacr;
constexpr std::uint32_t kS2mmDmasr = kHalf + kMm2sDmasr;
constexpr std::uint32_t kS2mmCurdesc = kHalf + kMm2sCurdesc;
constexpr std::uint32_t kS2mmTaildesc = kHalf + kMm2sTaildesc;
constexpr std::uint32_t kS2mmDa = kHalf + kMm2sSa;
constexpr std::uint32_t kS2mmDaMsb = kHalf + kMm2sSaMsb;
constexpr std::uint32_t kS2mmLength = kHalf + kMm2sLength;

// Bits of DMACR.
constexpr std::uint32_t kCrRunStop = 1U << 0;
constexpr std::uint32_t kCrReset = 1U << 2;
constexpr std::uint32_t kCrCyclic = 1U << 4;
constexpr std::uint32_t kCrIocIrqEnable = 1U << 12;
constexpr std::uint32_t kCrDlyIrqEnable = 1U << 13;
constexpr std::uint32_t kCrErrIrqEnable = 1U << 14;
constexpr int kCrThresholdBit = 16;  // IRQThreshold, 8 bits
constexpr int kCrDelayBit = 24;      // IRQDelay, 8 bits

// Bits of DMASR. The error bits of the data mover are also in a descriptor's status, in the same order
// (kDescErrorShift).
constexpr std::uint32_t kSrHalted = 1U << 0;
constexpr std::uint32_t kSrIdle = 1U << 1;
constexpr std::uint32_t kSrSgIncluded = 1U << 3;
constexpr std::uint32_t kSrDmaIntErr = 1U << 4;
constexpr std::uint32_t kSrDmaSlvErr = 1U << 5;
constexpr std::uint32_t kSrDmaDecErr = 1U << 6;
constexpr std::uint32_t kSrSgIntErr = 1U << 8;
constexpr std::uint32_t kSrSgSlvErr = 1U << 9;
constexpr std::uint32_t kSrSgDecErr = 1U << 10;
constexpr std::uint32_t kSrErrors = 0x770;
constexpr std::uint32_t kSrIocIrq = 1U << 12;
constexpr std::uint32_t kSrDlyIrq = 1U << 13;
constexpr std::uint32_t kSrErrIrq = 1U << 14;
constexpr std::uint32_t kSrIrqs = kSrIocIrq | kSrDlyIrq | kSrErrIrq;

// A descriptor: byte offsets of its words, and the bits of CONTROL and STATUS. It is aligned to sixteen words. Its APP
// words are fetched and written only with the control and status streams, which are not modelled.
constexpr std::uint32_t kDescBytes = 64;
constexpr int kDescWords = 8;  // words that are fetched
constexpr int kDescNext = 0x00;
constexpr int kDescBuffer = 0x08;
constexpr int kDescControl = 0x18;
constexpr int kDescStatus = 0x1c;
constexpr std::uint32_t kDescLength = (1U << 26) - 1;  // field of CONTROL, and of STATUS: bytes transferred
constexpr std::uint32_t kDescEof = 1U << 26;           // TXEOF in MM2S's CONTROL, RXEOF in S2MM's STATUS
constexpr std::uint32_t kDescSof = 1U << 27;
constexpr int kDescErrorShift = 24;  // from DMASR's DMAIntErr .. DMADecErr to STATUS bits 28 .. 30
constexpr std::uint32_t kDescComplete = 1U << 31;

}  // namespace fansim::contract::dma_map
