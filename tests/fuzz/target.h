// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "fuzz/mutator.h"

namespace fansim::test {

// A reader of the program, and what the program does with what it has read.
struct Target {
  std::string name;
  Mutator::Kind kind = Mutator::Kind::text;
  std::string file;                // where the mutant stands in the workshop
  std::vector<std::string> seeds;  // right files
  std::vector<std::string> words;  // what else may stand in one
  // Says what is run. It is a command line, in which "@" is the mutant, and "@lines OPTION" repeats OPTION with each
  // line of it; OPTION may be missing; "out" does not exist yet. Or it is a function, which throws what a command
  // would.
  std::vector<std::string> command;
  std::function<void(const std::string& file)> read;
  std::function<std::string(base::Random&)> draw;  // a file out of nothing, half of the time
  bool one_each = false;                           // a process elaborates SystemC once
  std::set<int> codes = {0, 1, 2, 3};
  std::size_t mib = 128;  // that it may allocate beside what the file's size gives

  std::vector<std::string> arguments(const std::string& path) const;
};

// Returns how many bytes on the heap a file of this size may cost at a time.
std::size_t most_bytes(const Target& target, std::size_t size);

// Returns all targets. The workshop must be the working directory.
std::vector<Target> targets();

// Each of these adds a family of targets.
void add_machines(std::vector<Target>& targets);
void add_networks(std::vector<Target>& targets);
void add_tensors(std::vector<Target>& targets);
void add_models(std::vector<Target>& targets);
void add_stimuli(std::vector<Target>& targets);
void add_searches(std::vector<Target>& targets);
void add_results(std::vector<Target>& targets);
void add_faults(std::vector<Target>& targets);

}  // namespace fansim::test
