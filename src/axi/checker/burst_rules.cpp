// SPDX-License-Identifier: Apache-2.0
#include "axi/checker/burst_rules.h"

#include <fmt/format.h>

namespace fansim::axi {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr unsigned kShortBurst = 16;       // beats of the longest FIXED, WRAP or exclusive burst
constexpr std::uint64_t kExclusive = 128;  // bytes of the largest exclusive access
constexpr unsigned kModifiable = 2, kAllocate = 12;

bool power_of_two(std::uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

std::uint64_t aligned(std::uint64_t address, std::uint64_t unit) { return address - address % unit; }

}  // namespace

void check_burst(const AddressView& burst, const std::string& channel, int data_bits, std::int64_t cycle,
                 Findings& findings) {
  const auto report = [&](const char* rule, const std::string& text) {
    findings.add(channel + "_" + rule, cycle, text);
  };
  const unsigned beats = burst.len + 1;
  const std::uint64_t size = std::uint64_t{1} << burst.size, total = size * beats;
  const auto kind = static_cast<BurstKind>(burst.burst);

  if (8 * size > static_cast<std::uint64_t>(data_bits))
    report("size", fmt::format("beats of {} bytes on a bus of {} bits", size, data_bits));
  switch (kind) {
    case BurstKind::reserved:
      report("burst_reserved", "burst type 11 is reserved");
      break;
    case BurstKind::fixed:
      if (beats > kShortBurst) report("fixed_length", fmt::format("a FIXED burst of {} beats, 16 at most", beats));
      break;
    case BurstKind::incr:
      if (burst.addr / kPage != (aligned(burst.addr, size) + total - 1) / kPage)
        report("boundary",
               fmt::format("{} beats of {} bytes from {:#x} cross a 4 KiB boundary", beats, size, burst.addr));
      break;
    case BurstKind::wrap:
      if (!power_of_two(beats) || beats < 2 || beats > kShortBurst)
        report("wrap_length", fmt::format("a WRAP burst of {} beats; 2, 4, 8 or 16", beats));
      if (burst.addr % size != 0)
        report("wrap_unaligned", fmt::format("a WRAP burst from {:#x} with beats of {} bytes", burst.addr, size));
      break;
  }
  if ((burst.cache & kModifiable) == 0 && (burst.cache & kAllocate) != 0)
    report("cache", fmt::format("cache {:#06b} allocates what is not modifiable", burst.cache));
  if (!burst.lock) return;
  if (beats > kShortBurst || !power_of_two(total) || total > kExclusive)
    report("exclusive_size", fmt::format("an exclusive access of {} beats, {} bytes", beats, total));
  else if (burst.addr % total != 0)
    report("exclusive_unaligned", fmt::format("an exclusive access of {} bytes at {:#x}", total, burst.addr));
}

std::uint64_t byte_lanes(const AddressView& burst, unsigned index, int data_bits) {
  const auto bus = static_cast<std::uint64_t>(data_bits / 8);
  const std::uint64_t size = std::uint64_t{1} << burst.size;
  const auto kind = static_cast<BurstKind>(burst.burst);
  std::uint64_t first = burst.addr;
  if (kind != BurstKind::fixed && index > 0) first = aligned(burst.addr, size) + index * size;
  if (kind == BurstKind::wrap) {
    const std::uint64_t container = size * (burst.len + 1), low = aligned(burst.addr, container);
    first = low + (burst.addr - low + index * size) % container;
  }
  const std::uint64_t end = aligned(first, size) + size;  // address after the last byte
  std::uint64_t lanes = 0;
  for (std::uint64_t byte = first; byte < end; ++byte) lanes |= std::uint64_t{1} << byte % bus;
  return lanes;
}

}  // namespace fansim::axi
