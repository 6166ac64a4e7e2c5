// SPDX-License-Identifier: Apache-2.0
#include "cli/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

#include "cli/exit_code.h"
#include "cli/interrupt.h"

namespace fansim::cli {

int run_self(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"fansim"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start a child process");

  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error("cannot wait for a child process");
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : kInterrupted;
  if (code == kInterrupted) throw Interrupted();
  return code;
}

}  // namespace fansim::cli
