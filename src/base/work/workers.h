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

// As many threads as the machine runs at once, or as were allowed.
int cores();
void allow_cores(int most);

// Pieces of work, work(0) ... work(count - 1), each once and in any order, that other threads begin with while this one
// does something else.
class WorkAhead {
 public:
  // `kin`: a number for each piece. Whoever has done one goes on with others of the same, then with one of which nobody
  // is at any. None: all in turn.
  WorkAhead(int threads, std::size_t count, std::function<void(std::size_t)> work, std::vector<int> kin = {});
  // No piece is begun any more; those that are begun are waited for.
  ~WorkAhead();

  // Until a piece is done: does others meanwhile, and calls `meanwhile` now and then once none is left to begin. An
  // exception ends the rest; it is thrown on if it came of a piece that was done here, or keeps this one from being
  // done.
  void wait_for(std::size_t piece, const std::function<void()>& meanwhile);
  // Does what is left, and waits for the others. The first exception ends the rest and is thrown on.
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
  std::atomic<std::size_t> next_{0};  // all before have begun, if there is no kin; all: none begins any more
  std::size_t own_ = kNone;           // the last piece of the thread that waits
  std::mutex mutex_;
  std::condition_variable done_more_;
  std::vector<bool> begun_, done_;  // begun: if there is kin
  std::map<int, int> in_work_;      // pieces, by kin
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

// Does pieces of work on several threads. What comes of them is put together in their order, so a search is the same
// for any number of threads.
class Workers {
 public:
  explicit Workers(int jobs) : jobs_(jobs) {}

  int jobs() const { return jobs_; }
  // work(0) ... work(count - 1), each once, in any order. The first exception ends the rest and is thrown on.
  void each(std::size_t count, const std::function<void(std::size_t)>& work) const;

 private:
  const int jobs_;
};

}  // namespace fansim::base
