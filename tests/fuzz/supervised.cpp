// SPDX-License-Identifier: Apache-2.0
#include "fuzz/supervised.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <thread>

#include "base/console.h"

namespace fansim::test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kWallOfCpu = 20;  // seconds for one of CPU, on a machine that others use: it waits for something

double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Returns the CPU seconds of a process, or 0 if it has ended.
double cpu_seconds_of(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return seconds(time);
}

double used(const rusage& usage) {
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

// A child's end, or a moment, whatever comes first.
void wait_a_moment() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  const timespec moment{0, 50'000'000};
  ::sigtimedwait(&ends, nullptr, &moment);
}

// Ends of children wait until somebody asks for them.
void hold_ends() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  ::pthread_sigmask(SIG_BLOCK, &ends, nullptr);
}

}  // namespace

double own_cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return seconds(time);
}

std::string End::text() const {
  if (hung) return "hangs: it did not end when it was interrupted";
  if (WIFSIGNALED(status)) return fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return fmt::format("exit {}", WEXITSTATUS(status));
}

pid_t start(const std::string& errors, const std::function<void()>& work) {
  hold_ends();
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::dup2(::open("/dev/null", O_RDWR), STDIN_FILENO);
  ::dup2(STDIN_FILENO, STDOUT_FILENO);
  ::dup2(::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666), STDERR_FILENO);
  try {
    work();
    ::_exit(0);
  } catch (const std::exception& error) {
    base::print_error("{}\n", error.what());
    ::_exit(1);
  }
}

End wait_for_end(pid_t child, double most_seconds, const std::function<Work()>& at) {
  End end;
  Work work = at();
  Clock::time_point since = Clock::now();
  rusage usage{};
  while (::wait4(child, &end.status, WNOHANG, &usage) == 0) {
    wait_a_moment();
    if (const Work now = at(); now.number != work.number) {
      work = now;
      since = Clock::now();
      end.interrupted = false;
    }
    const double cpu = cpu_seconds_of(child) - work.began;
    const double wall = std::chrono::duration<double>(Clock::now() - since).count();
    const double much = std::max(cpu / most_seconds, wall / (most_seconds * kWallOfCpu));
    if (much > 2) {
      end.hung = true;
      ::kill(-child, SIGKILL);
    } else if (much > 1 && !end.interrupted) {
      end.interrupted = true;
      ::kill(-child, SIGINT);
    }
  }
  ::kill(-child, SIGKILL);  // whom it left behind
  end.cpu_seconds = used(usage);
  return end;
}

}  // namespace fansim::test
