// SPDX-License-Identifier: Apache-2.0
#include "base/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "base/workers.h"

namespace fansim::base {

void touch(void* memory, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  constexpr std::size_t kPart = std::size_t{8} << 20;
  if (bytes < kPart) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto last = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  // Huge pages fault less often now and miss the TLB less often later.
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
  Workers(cores()).each((last - first + kPart - 1) / kPart, [=](std::size_t part) {
    const std::uintptr_t from = first + part * kPart;
    madvise(reinterpret_cast<void*>(from), std::min<std::size_t>(kPart, last - from), MADV_POPULATE_WRITE);
  });
#else
  static_cast<void>(memory);
  static_cast<void>(bytes);
#endif
}

}  // namespace fansim::base
