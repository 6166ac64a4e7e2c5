// SPDX-License-Identifier: Apache-2.0
#include "base/child_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "base/interrupt.h"

namespace fansim::base {
namespace {

enum Ending : int { kReturned = 0, kThrew = 1, kInterruptedThere = 2 };

// Writes all of the text. Returns false if nobody reads any more.
bool write_all(int descriptor, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(descriptor, text.data() + at, text.size() - at);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) at += static_cast<std::size_t>(written);
  }
  return true;
}

// Returns what the child writes until it ends. An interrupt that only this process has seen is passed on to the child.
std::string read_all(int descriptor, pid_t child) {
  constexpr int kMilliseconds = 100;
  std::string text;
  std::array<char, 4096> part;
  pollfd readable{descriptor, POLLIN, 0};
  for (bool told = false;;) {
    if (::poll(&readable, 1, kMilliseconds) <= 0) {
      if (interrupted() && !told) told = ::kill(child, SIGINT) == 0;
      continue;
    }
    const ssize_t count = ::read(descriptor, part.data(), part.size());
    if (count == 0 || (count < 0 && errno != EINTR)) return text;
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
  }
}

[[noreturn]] void work_in_child(const std::function<std::string()>& work, int descriptor) {
  int ending = kReturned;
  std::string text;
  try {
    text = work();
  } catch (const Interrupted&) {
    ending = kInterruptedThere;
  } catch (const std::exception& error) {
    ending = kThrew;
    text = error.what();
  }
  if (!write_all(descriptor, text)) ending = kThrew;
  ::_exit(ending);  // without flushing: buffered output belongs to the parent
}

}  // namespace

std::string in_child_process(const std::function<std::string()>& work) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) throw std::runtime_error("cannot make a pipe");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot start a child process");
  if (child == 0) {
    ::close(pipe[0]);
    work_in_child(work, pipe[1]);
  }
  ::close(pipe[1]);
  std::string text = read_all(pipe[0], child);
  ::close(pipe[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error("cannot wait for a child process");
  }
  if (interrupted() || (WIFEXITED(status) && WEXITSTATUS(status) == kInterruptedThere)) throw Interrupted();
  if (!WIFEXITED(status)) throw std::runtime_error("a child process was ended by a signal");
  if (WEXITSTATUS(status) != kReturned) throw std::runtime_error(text);
  return text;
}

}  // namespace fansim::base
