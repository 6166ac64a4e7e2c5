// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "base/file.h"

namespace fansim::test {

pid_t start_program(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  std::vector<std::string> words{FANSIM_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open(surroundings.out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO);
    ::dup2(::open(surroundings.err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
    surroundings.prepare();
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

Outcome run_program(const std::vector<std::string>& arguments, const std::function<void()>& prepare) {
  const ScratchDirectory folder;
  const std::string out = folder / "out", err = folder / "err";
  Outcome outcome;
  outcome.code = wait_for(start_program(arguments, {out, err, prepare}));
  outcome.out = base::read_file(out);
  outcome.err = base::read_file(err);
  return outcome;
}

void copy_of_another_build(const std::string& id, const std::string& copy) {
  std::string bytes, note;
  for (std::size_t i = 0; i + 1 < id.size(); i += 2) note += static_cast<char>(std::stoi(id.substr(i, 2), nullptr, 16));
  bytes = base::read_file(FANSIM_PROGRAM);
  const std::size_t at = bytes.find(note);
  if (note.empty() || at == std::string::npos) throw std::runtime_error("the program has no build id " + id);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  base::write_file(copy, bytes);
  std::filesystem::permissions(copy, std::filesystem::perms{0755});
}

std::string config(const std::string& name) {
  return std::string(FANSIM_SOURCE_DIR) + "/configs/systems/" + name + ".yaml";
}

std::string model(const std::string& name) { return std::string(FANSIM_SOURCE_DIR) + "/models/" + name + ".yaml"; }

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace fansim::test
