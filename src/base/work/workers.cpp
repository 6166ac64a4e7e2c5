// SPDX-License-Identifier: Apache-2.0
#include "base/work/workers.h"

#include <algorithm>
#include <utility>

namespace fansim::base {
namespace {

std::atomic<int> allowed{0};  // 0: all that there are

}  // namespace

int cores() {
  const int all = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int most = allowed;
  return most > 0 ? std::min(most, all) : all;
}

void allow_cores(int most) { allowed = most; }

WorkAhead::WorkAhead(int threads, std::size_t count, std::function<void(std::size_t)> work)
    : count_(count), work_(std::move(work)) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { loop(); });
}

WorkAhead::~WorkAhead() {
  next_ = count_;
  join();
}

void WorkAhead::loop() {
  try {
    for (std::size_t i = next_++; i < count_; i = next_++) work_(i);
  } catch (...) {
    next_ = count_;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

void WorkAhead::join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void WorkAhead::finish() {
  loop();
  join();
  if (failure_) std::rethrow_exception(failure_);
}

void Workers::each(std::size_t count, const std::function<void(std::size_t)>& work) const {
  const auto others = static_cast<int>(std::min(count, static_cast<std::size_t>(jobs_))) - 1;
  WorkAhead(others, count, work).finish();
}

}  // namespace fansim::base
