// SPDX-License-Identifier: Apache-2.0
#include "fuzz/allocations.h"

#include <atomic>

#ifdef FANSIM_CHECKED
// As <sanitizer/allocator_interface.h> of the runtime has them; g++ does not install it.
extern "C" {
int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*, std::size_t),
                                              void (*free_hook)(const volatile void*));
std::size_t __sanitizer_get_allocated_size(const volatile void* memory);
// An allocation beyond this is a find of its own, and the machine stays usable.
const char* __asan_default_options();
const char* __asan_default_options() { return "max_allocation_size_mb=6144:hard_rss_limit_mb=8192:detect_leaks=0"; }
const char* __ubsan_default_options();
const char* __ubsan_default_options() { return "print_stacktrace=1"; }
}
#endif

namespace fansim::test {
namespace {

std::atomic<std::size_t> live{0}, peak{0}, forgotten{0};

#ifdef FANSIM_CHECKED
void add(const volatile void*, std::size_t size) {
  const std::size_t now = live += size;
  std::size_t most = peak;
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
}
void remove(const volatile void* memory) { live -= __sanitizer_get_allocated_size(memory); }
#endif

}  // namespace

void count_allocations() {
#ifdef FANSIM_CHECKED
  __sanitizer_install_malloc_and_free_hooks(add, remove);
#endif
}

void forget_peak() {
  forgotten = live.load();
  peak = live.load();
}

std::size_t live_bytes() { return live; }

std::size_t peak_bytes() { return peak > forgotten ? peak - forgotten : 0; }

}  // namespace fansim::test
