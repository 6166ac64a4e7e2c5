// SPDX-License-Identifier: Apache-2.0
#include "explore/guard.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>

namespace fansim::explore {
namespace {

constexpr std::size_t kSlots = 4096;  // most tasks at a time, of all threads together
constexpr std::size_t kName = 1024;
constexpr int kMostUnnamed = 3;  // most crashes in a row outside any task

constexpr int kFatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP};

int thread_number() { return static_cast<int>(::syscall(SYS_gettid)); }

// Provides a second stack, because a signal handler cannot run on a stack that has overflowed.
class AlternateStack {
 public:
  AlternateStack() : memory_(new char[kBytes]) {
    stack_t stack{};
    stack.ss_sp = memory_.get();
    stack.ss_size = kBytes;
    ::sigaltstack(&stack, nullptr);
  }
  ~AlternateStack() {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
  }
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;

 private:
  static constexpr std::size_t kBytes = 64 * 1024;
  std::unique_ptr<char[]> memory_;
};

thread_local int task_depth = 0;

std::atomic<int>* faulted_thread = nullptr;  // the only state that the signal handler needs

// The first thread that faults ends the process; other threads that fault wait for that. The handler is
// async-signal-safe: it uses only lock-free atomics and system calls.
void note_fault(int signal) {
  const int thread = thread_number();
  for (int none = 0; !faulted_thread->compare_exchange_strong(none, thread); none = 0) ::pause();
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // is delivered when the handler returns
}

void catch_faults(std::atomic<int>& faulted) {
  faulted_thread = &faulted;
  struct sigaction action {};
  action.sa_handler = note_fault;
  action.sa_flags = SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : kFatal) ::sigaction(signal, &action, nullptr);
}

bool is_fatal(int signal) { return std::find(std::begin(kFatal), std::end(kFatal), signal) != std::end(kFatal); }

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name ? std::string("SIG") + name : fmt::format("signal {}", signal);
}

}  // namespace

struct Guard::Shared {
  struct Slot {
    std::atomic<int> thread{0};  // 0: the slot is free
    int depth = 0;               // how deep this task is nested in others
    char name[kName];
  };

  std::atomic<int> faulted{0};  // the thread that faulted
  std::atomic<bool> stop{false};
  Slot slots[kSlots];
};

struct Guard::Ended {
  int code = 0;
  int signal = 0;  // 0: the process exited by itself
};

Guard::Guard() {
  void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory to share with a child process");
  shared_ = new (memory) Shared;
}

Guard::~Guard() { ::munmap(shared_, sizeof(Shared)); }

bool Guard::stop_requested() const { return shared_->stop; }

int Guard::run(const std::function<int()>& body, const std::function<void(const Crash&)>& on_crash,
               const std::function<bool()>& interrupted) {
  for (int unnamed = 0; unnamed < kMostUnnamed;) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
    std::fflush(nullptr);
    const pid_t parent = ::getpid(), child = ::fork();
    if (child < 0) throw std::runtime_error("cannot start a child process");
    if (child == 0) {
      ::close(ends[0]);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(1);
      catch_faults(shared_->faulted);
      return body();
    }
    ::close(ends[1]);
    const Ended ended = wait_for(child, ends[0], interrupted);
    ::close(ends[0]);
    if (!is_fatal(ended.signal)) return ended.code;
    const Crash crash = crash_of(ended.signal);
    on_crash(crash);
    unnamed = crash.at.empty() ? unnamed + 1 : 0;
    if (!crash.at.empty()) lost_[crash.at.back()] = fmt::format("{} ended its process", crash.signal);
    forget_tasks();
  }
  throw std::runtime_error("the search ends by signals at nothing that could be left out");
}

// Waits until the pipe closes, which happens when the child ends.
Guard::Ended Guard::wait_for(int child, int pipe, const std::function<bool()>& interrupted) const {
  constexpr int kMilliseconds = 100;
  pollfd closed{pipe, POLLIN, 0};
  while (::poll(&closed, 1, kMilliseconds) <= 0)
    if (interrupted()) shared_->stop = true;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw std::runtime_error("cannot wait for a child process");
  if (WIFEXITED(status)) return {WEXITSTATUS(status), 0};
  return {kSignalled + WTERMSIG(status), WTERMSIG(status)};
}

Guard::Crash Guard::crash_of(int signal) const {
  std::vector<const Shared::Slot*> tasks;
  const int thread = shared_->faulted;
  for (const Shared::Slot& slot : shared_->slots)
    if (thread != 0 && slot.thread == thread) tasks.push_back(&slot);
  std::sort(tasks.begin(), tasks.end(),
            [](const Shared::Slot* a, const Shared::Slot* b) { return a->depth < b->depth; });
  Crash crash{signal_name(signal), {}};
  for (const Shared::Slot* task : tasks) crash.at.emplace_back(task->name);
  return crash;
}

void Guard::forget_tasks() {
  shared_->faulted = 0;
  for (Shared::Slot& slot : shared_->slots) slot.thread = 0;
}

Guard::Task::Task(const Guard* guard, const std::string& name) : guard_(guard) {
  if (!guard_) return;
  const std::string kept = name.substr(0, kName - 1);
  const auto lost = guard_->lost_.find(kept);
  if (lost != guard_->lost_.end()) throw Lost(fmt::format("{}: {}", kept, lost->second));
  static thread_local const AlternateStack stack;
  const int thread = thread_number();
  for (slot_ = static_cast<std::size_t>(thread) % kSlots;; slot_ = (slot_ + 1) % kSlots) {
    int free = 0;
    if (guard_->shared_->slots[slot_].thread.compare_exchange_strong(free, thread)) break;
  }
  Shared::Slot& slot = guard_->shared_->slots[slot_];
  slot.depth = ++task_depth;
  std::memcpy(slot.name, kept.c_str(), kept.size() + 1);
}

Guard::Task::~Task() {
  if (!guard_) return;
  --task_depth;
  guard_->shared_->slots[slot_].thread = 0;
}

}  // namespace fansim::explore
