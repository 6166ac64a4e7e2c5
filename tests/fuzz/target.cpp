// SPDX-License-Identifier: Apache-2.0
#include "fuzz/target.h"

#include <sstream>

#include "base/file.h"

namespace fansim::test {

std::vector<std::string> Target::arguments(const std::string& path) const {
  const std::string kLines = "@lines";
  std::vector<std::string> all;
  for (const std::string& word : command) {
    const std::size_t at = word.find('@');
    if (at == std::string::npos) {
      all.push_back(word);
    } else if (word.rfind(kLines, 0) == 0) {
      std::istringstream lines(base::read_file(path));
      for (std::string line; std::getline(lines, line);) {
        if (line.empty()) continue;
        if (word.size() > kLines.size()) all.push_back(word.substr(kLines.size() + 1));
        all.push_back(line.substr(0, line.find('\0')));
      }
    } else {
      all.push_back(word.substr(0, at) + path + word.substr(at + 1));
    }
  }
  return all;
}

// Text is read into trees of nodes that each know their place in the file; bytes become values of several bytes.
std::size_t most_bytes(const Target& target, std::size_t size) {
  constexpr std::size_t kOfByte = 1024;
  return (target.mib << 20) + kOfByte * size;
}

std::vector<Target> targets() {
  std::vector<Target> all;
  add_machines(all);
  add_networks(all);
  add_tensors(all);
  add_models(all);
  add_stimuli(all);
  add_searches(all);
  add_results(all);
  add_faults(all);
  return all;
}

}  // namespace fansim::test
