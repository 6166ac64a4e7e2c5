// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace fansim::test {

// Holds how a child ended.
struct End {
  int status = 0;            // as waitpid gives it
  bool interrupted = false;  // it took too long, and was told so as by Ctrl-C
  bool hung = false;         // and went on all the same
  double cpu_seconds = 0;
  std::string text() const;
};

// Starts a child in a process group of its own, whose standard error is a file.
pid_t start(const std::string& errors, const std::function<void()>& work);

// Holds what the child works on. `number` changes when it goes on to something else; the CPU seconds are those that it
// had used by then.
struct Work {
  std::int64_t number = 0;
  double began = 0;
};

// Waits for its end. One piece of work may take so many CPU seconds; then it is interrupted, and has as many again.
End wait_for_end(pid_t child, double most_seconds, const std::function<Work()>& at);

double own_cpu_seconds();

}  // namespace fansim::test
