// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// AXI DMA register map, direct register mode (PG021, "Register Space").
namespace fansim::arch::dma_map {

constexpr std::uint32_t kMm2sDmacr = 0x00;
constexpr std::uint32_t kMm2sDmasr = 0x04;
constexpr std::uint32_t kMm2sSa = 0x18;
constexpr std::uint32_t kMm2sLength = 0x28;
constexpr std::uint32_t kS2mmDmacr = 0x30;
constexpr std::uint32_t kS2mmDmasr = 0x34;
constexpr std::uint32_t kS2mmDa = 0x48;
constexpr std::uint32_t kS2mmLength = 0x58;

constexpr std::uint32_t kCrRunStop = 1U << 0;
constexpr std::uint32_t kCrReset = 1U << 2;
constexpr std::uint32_t kCrIocIrqEnable = 1U << 12;

constexpr std::uint32_t kSrHalted = 1U << 0;
constexpr std::uint32_t kSrIdle = 1U << 1;
constexpr std::uint32_t kSrIocIrq = 1U << 12;

}  // namespace fansim::arch::dma_map
