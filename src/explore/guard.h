// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fansim::explore {

// Thrown where something begins that has ended a process before.
class Lost : public std::exception {
 public:
  explicit Lost(std::string reason) : reason_(std::move(reason)) {}
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

// Lets work go on when a signal ends the process that does it (SIGSEGV, SIGABRT, an overflow of the stack...): the work
// runs in a child process, whose threads say in shared memory what they are at. What the faulting thread was at is
// lost, and another child does the rest.
class Guard {
 public:
  struct Crash {
    std::string signal;           // "SIGSEGV"
    std::vector<std::string> at;  // the tasks that the faulting thread was at, the innermost last
  };

  Guard();
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  // Returns twice: in the child what `body` returns, in its parent the child's exit code, or 128 and the signal's
  // number if it was ended by one that no fault sends. Both are to end with it. Calls on_crash in the parent, and
  // interrupted, which says whether the child shall see stop_requested().
  int run(const std::function<int()>& body, const std::function<void(const Crash&)>& on_crash,
          const std::function<bool()>& interrupted);
  bool stop_requested() const;
  static constexpr int kSignalled = 128;

  // From its construction to its destruction the thread is at `name`. Throws Lost if that is lost.
  class Task {
   public:
    Task(const Guard* guard, const std::string& name);  // none: nobody watches
    ~Task();
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

   private:
    const Guard* const guard_;
    std::size_t slot_ = 0;
  };

 private:
  struct Shared;
  struct Ended;

  Ended wait_for(int child, int pipe, const std::function<bool()>& interrupted) const;
  Crash crash_of(int signal) const;
  void forget_tasks();

  Shared* shared_;
  std::map<std::string, std::string> lost_;  // and why
};

}  // namespace fansim::explore
