// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "fuzz/supervised.h"
#include "fuzz/trial.h"

namespace fansim::test {
namespace {

constexpr double kMostSeconds = 10;  // CPU seconds
const std::string kErrors = "errors.txt";

[[noreturn]] void become_program(const Target& target, const std::string& path) {
  std::vector<std::string> words = target.arguments(path);
  words.insert(words.begin(), FANSIM_PROGRAM);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
#ifndef FANSIM_CHECKED
  const rlimit memory{kMostAddressSpace, kMostAddressSpace};
  ::setrlimit(RLIMIT_AS, &memory);
#endif
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

}  // namespace

Trial attempt_program(const Target& target, const std::string& content) {
  const std::string path = std::filesystem::absolute(target.file);
  std::ofstream(path) << content;
  std::filesystem::remove_all("out");
  const End end =
      wait_for_end(start(kErrors, [&] { become_program(target, path); }), kMostSeconds, [] { return Work{}; });
  const std::string said = base::read_file(kErrors);
  if (end.hung || WIFSIGNALED(end.status)) return {1000, end.text(), ""};
  const int code = WEXITSTATUS(end.status);
  if (end.interrupted && code == 130) return {code, "", said};
  if (target.codes.count(code) == 0 || said.find("fault of the program") != std::string::npos)
    return {code, end.text() + ": " + said.substr(0, 300), said};
  return {code, "", said};
}

}  // namespace fansim::test
