// SPDX-License-Identifier: Apache-2.0
#include "inject/crew.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <vector>

#include "base/interrupt.h"

namespace fansim::inject {
namespace {

struct Worker {
  pid_t process = 0;
  int pipe = -1;  // -1: it has finished
  std::string unfinished;
};

// If nobody reads any more, there is nobody left to work for.
void write_line(int descriptor, std::string line) {
  line += '\n';
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t written = ::write(descriptor, line.data() + at, line.size() - at);
    if (written < 0 && errno != EINTR) ::_exit(1);
    if (written > 0) at += static_cast<std::size_t>(written);
  }
}

constexpr char kError = '!';

[[noreturn]] void work_in_child(int worker, const std::function<void(int worker, const Say& say)>& work, int pipe) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    work(worker, [pipe](const std::string& line) { write_line(pipe, line); });
  } catch (const base::Interrupted&) {
    ::_exit(0);
  } catch (const std::exception& error) {
    write_line(pipe, kError + std::string(error.what()));
  }
  ::_exit(0);  // the parent will write what is buffered
}

Worker start(int number, const std::function<void(int worker, const Say& say)>& work) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("cannot make a pipe");
  std::fflush(nullptr);
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error("cannot start a child process");
  if (process == 0) {
    ::close(ends[0]);
    work_in_child(number, work, ends[1]);
  }
  ::close(ends[1]);
  return {process, ends[0], ""};
}

// Reads what has arrived; returns false at the end.
bool read_some(Worker& worker, const Say& hear, std::string& error) {
  std::array<char, 4096> part;
  const ssize_t count = ::read(worker.pipe, part.data(), part.size());
  if (count < 0) return errno == EINTR;
  if (count == 0) return false;
  worker.unfinished.append(part.data(), static_cast<std::size_t>(count));
  for (std::size_t end; (end = worker.unfinished.find('\n')) != std::string::npos;) {
    const std::string line = worker.unfinished.substr(0, end);
    worker.unfinished.erase(0, end + 1);
    if (!line.empty() && line.front() == kError)
      error = line.substr(1);
    else
      hear(line);
  }
  return true;
}

class Crew {
 public:
  ~Crew() {
    for (Worker& worker : workers_) dismiss(worker, true);
  }

  void start_all(int count, const std::function<void(int worker, const Say& say)>& work) {
    for (int number = 0; number < count; ++number) workers_.push_back(start(number, work));
  }

  void listen(const Say& hear) {
    constexpr int kMilliseconds = 100;
    std::string error;
    for (bool told = false; error.empty();) {
      std::vector<pollfd> waits;
      for (const Worker& worker : workers_)
        if (worker.pipe >= 0) waits.push_back({worker.pipe, POLLIN, 0});
      if (waits.empty()) break;
      const int ready = ::poll(waits.data(), waits.size(), kMilliseconds);
      if (base::interrupted() && !told) {
        told = true;
        for (const Worker& worker : workers_) ::kill(worker.process, SIGINT);
      }
      if (ready <= 0) continue;
      for (const pollfd& wait : waits)
        for (Worker& worker : workers_)
          if (wait.revents != 0 && worker.pipe == wait.fd && !read_some(worker, hear, error)) dismiss(worker, false);
    }
    base::stop_if_interrupted();
    if (!error.empty()) throw std::runtime_error(error);
  }

 private:
  static void dismiss(Worker& worker, bool early) {
    if (worker.pipe < 0) return;
    ::close(worker.pipe);
    worker.pipe = -1;
    if (early) ::kill(worker.process, SIGKILL);
    int status = 0;
    while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) continue;
    if (!early && WIFSIGNALED(status)) throw std::runtime_error("a worker was ended by a signal");
  }

  std::vector<Worker> workers_;
};

}  // namespace

void work_together(int workers, const std::function<void(int worker, const Say& say)>& work, const Say& hear,
                   const std::function<void()>& started) {
  Crew crew;
  crew.start_all(workers, work);
  started();
  crew.listen(hear);
}

}  // namespace fansim::inject
