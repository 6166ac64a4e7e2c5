// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace fansim::base {

// Returns how many threads may run at once: as many as the machine has cores, or as allow_cores() allowed.
int cores();
void allow_cores(int most);

// Pieces of work, work(0) ... work(count - 1), that other threads begin while this thread does something else. Each
// piece is done once, in any order.
class WorkAhead {
 public:
  // `kin` has a number for each piece. A thread that has done a piece goes on with another of the same number, then
  // with a number at which no thread works. Without `kin` the pieces are begun in turn.
  WorkAhead(int threads, std::size_t count, std::function<void(std::size_t)> work, std::vector<int> kin = {});
  // Begins no further piece and waits for those that are begun.
  ~WorkAhead();

  // Waits until a piece is done. Meanwhile this thread does other pieces, and calls `meanwhile` now and then once none
  // is left to begin. An exception in any piece ends the work. It is thrown here if the piece was done by this thread,
  // or if it keeps `piece` from being done.
  void wait_for(std::size_t piece, const std::function<void()>& meanwhile);
  // Does what is left and waits for the other threads. The first exception ends the work and is thrown here.
  void finish();

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t begin(std::size_t before, std::size_t wanted = kNone);
  std::size_t begin_kin(std::size_t before, std::size_t wanted);
  std::exception_ptr do_piece(std::size_t piece);
  void loop(std::size_t before = kNone);
  void join();

  const std::size_t count_;
  const std::function<void(std::size_t)> work_;
  const std::vector<int> kin_;
  std::atomic<std::size_t> next_{0};  // without kin, all pieces before it have begun; count_: none begins any more
  std::size_t own_ = kNone;           // the last piece that the waiting thread did
  std::mutex mutex_;
  std::condition_variable done_more_;
  std::vector<bool> begun_, done_;  // begun_ is used with kin only
  std::map<int, int> in_work_;      // pieces in work, by kin
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

// Does pieces of work on several threads. Results are put together in the order of the pieces, so a search gives the
// same for any number of threads.
class Workers {
 public:
  explicit Workers(int jobs) : jobs_(jobs) {}

  int jobs() const { return jobs_; }
  // Does work(0) ... work(count - 1), each once, in any order. The first exception ends the work and is thrown here.
  void each(std::size_t count, const std::function<void(std::size_t)>& work) const;

 private:
  const int jobs_;
};

}  // namespace fansim::base
