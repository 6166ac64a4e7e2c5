// SPDX-License-Identifier: Apache-2.0
#include "base/work/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace fansim::base {

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void Workers::each(std::size_t count, const std::function<void(std::size_t)>& work) const {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto loop = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard<std::mutex> lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  const std::size_t threads = std::min(count, static_cast<std::size_t>(jobs_));
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(loop);
  loop();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fansim::base
