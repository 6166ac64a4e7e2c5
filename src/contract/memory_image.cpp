// SPDX-License-Identifier: Apache-2.0
#include "contract/memory_image.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace fansim::contract {

MemoryImage::MemoryImage(std::size_t size) : size_(size) {
  if (size == 0) return;
  bytes_.reset(static_cast<std::uint8_t*>(std::calloc(size, 1)));
  if (!bytes_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  constexpr std::size_t kLarge = std::size_t{8} << 20;
  if (size < kLarge) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = (reinterpret_cast<std::uintptr_t>(data()) + page - 1) / page * page;
  const auto last = (reinterpret_cast<std::uintptr_t>(data()) + size) / page * page;
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // only a hint
#endif
}

MemoryImage::MemoryImage(const std::uint8_t* begin, const std::uint8_t* end)
    : MemoryImage(static_cast<std::size_t>(end - begin)) {
  constexpr std::size_t kPage = 4096;
  static constexpr std::uint8_t kZeros[kPage] = {};
  for (std::size_t at = 0; at < size_; at += kPage) {
    const std::size_t bytes = std::min(kPage, size_ - at);
    if (std::memcmp(begin + at, kZeros, bytes) != 0) std::memcpy(data() + at, begin + at, bytes);
  }
}

}  // namespace fansim::contract
