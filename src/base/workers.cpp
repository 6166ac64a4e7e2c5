// SPDX-License-Identifier: Apache-2.0
#include "base/workers.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/thread.h"

namespace fansim::base {
namespace {

std::atomic<int> allowed{0};  // 0: use all cores

}  // namespace

int cores() {
  const int all = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int most = allowed;
  return most > 0 ? std::min(most, all) : all;
}

void allow_cores(int most) { allowed = most; }

WorkAhead::WorkAhead(int threads, std::size_t count, std::function<void(std::size_t)> work, std::vector<int> kin)
    : count_(count), work_(std::move(work)), kin_(std::move(kin)), begun_(kin_.size()), done_(count) {
  for (int i = 0; i < threads; ++i) threads_.push_back(begin_elsewhere([this] { loop(); }));
}

WorkAhead::~WorkAhead() {
  next_ = count_;
  join();
}

// Returns the next piece for a thread that has done `before` and waits for `wanted`. The result is `count_` or more if
// none is left.
std::size_t WorkAhead::begin(std::size_t before, std::size_t wanted) {
  return kin_.empty() ? next_++ : begin_kin(before, wanted);
}

std::size_t WorkAhead::begin_kin(std::size_t before, std::size_t wanted) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (next_ >= count_) return count_;
  const auto rank = [&](std::size_t piece) {
    if (piece == wanted) return 0;
    if (before != kNone && kin_[piece] == kin_[before]) return 1;
    return in_work_[kin_[piece]] == 0 ? 2 : 3;
  };
  std::size_t best = count_;
  for (std::size_t i = 0; i < count_; ++i)
    if (!begun_[i] && (best == count_ || rank(i) < rank(best))) best = i;
  if (best < count_) {
    begun_[best] = true;
    ++in_work_[kin_[best]];
  }
  return best;
}

// Does one piece and returns the exception that it threw, or nothing.
std::exception_ptr WorkAhead::do_piece(std::size_t piece) {
  std::exception_ptr failure;
  try {
    work_(piece);
  } catch (...) {
    next_ = count_;
    failure = std::current_exception();
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!kin_.empty()) --in_work_[kin_[piece]];
  if (failure && !failure_) failure_ = failure;
  done_[piece] = !failure;
  done_more_.notify_all();
  return failure;
}

void WorkAhead::loop(std::size_t before) {
  for (std::size_t i = begin(before); i < count_; i = begin(i)) do_piece(i);
}

void WorkAhead::wait_for(std::size_t piece, const std::function<void()>& meanwhile) {
  constexpr std::chrono::milliseconds kNowAndThen{10};
  std::unique_lock<std::mutex> lock(mutex_);
  while (!done_[piece] && !failure_) {
    lock.unlock();
    const std::size_t other = begin(own_, piece);
    if (other >= count_)
      meanwhile();
    else if (const std::exception_ptr failure = do_piece(own_ = other))
      std::rethrow_exception(failure);
    lock.lock();
    if (other >= count_) done_more_.wait_for(lock, kNowAndThen, [&] { return done_[piece] || failure_; });
  }
  if (!done_[piece]) std::rethrow_exception(failure_);
}

void WorkAhead::join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void WorkAhead::finish() {
  loop(own_);
  join();
  if (failure_) std::rethrow_exception(failure_);
}

void Workers::each(std::size_t count, const std::function<void(std::size_t)>& work) const {
  const auto others = static_cast<int>(std::min(count, static_cast<std::size_t>(jobs_))) - 1;
  WorkAhead(others, count, work).finish();
}

}  // namespace fansim::base
