// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fansim::explore {

// Is thrown when a task begins that has crashed a process before.
class Lost : public std::exception {
 public:
  explicit Lost(std::string reason) : reason_(std::move(reason)) {}
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

// Lets a search continue when a signal ends the process that does the work (SIGSEGV, SIGABRT, a stack overflow...). The
// work runs in a child process. Its threads record in shared memory which tasks they are working on. The task of the
// faulting thread is given up, and another child does the rest.
class Guard {
 public:
  struct Crash {
    std::string signal;           // for example "SIGSEGV"
    std::vector<std::string> at;  // the tasks of the faulting thread, the innermost last
  };

  Guard();
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  // Returns twice. In the child it returns what `body` returns. In the parent it returns the child's exit code, or
  // kSignalled plus the signal's number if a signal ended the child that is no fault (SIGKILL...). Both processes must
  // then exit with that code. In the parent it calls `on_crash` after each crash, and polls `interrupted`: once that is
  // true, the child's stop_requested() is true.
  int run(const std::function<int()>& body, const std::function<void(const Crash&)>& on_crash,
          const std::function<bool()>& interrupted);
  bool stop_requested() const;
  static constexpr int kSignalled = 128;

  // Records that this thread works on the task `name` from construction to destruction. Throws Lost if that task has
  // crashed before.
  class Task {
   public:
    Task(const Guard* guard, const std::string& name);  // no guard: nothing is recorded
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
  std::map<std::string, std::string> lost_;  // task -> why it is given up
};

}  // namespace fansim::explore
