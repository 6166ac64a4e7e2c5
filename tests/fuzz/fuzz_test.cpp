// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <sstream>

#include "base/file.h"
#include "base/hash.h"
#include "fuzz/campaign.h"
#include "fuzz/target.h"
#include "fuzz/workshop.h"

namespace fansim::fuzz_test {

using test::Target;

namespace {

namespace fs = std::filesystem;
const std::string kCases = std::string(FANSIM_SOURCE_DIR) + "/tests/fuzz/cases";

const Target& target_called(const std::vector<Target>& targets, const std::string& name) {
  for (const Target& target : targets)
    if (target.name == name) return target;
  FAIL("no target " << name);
  throw std::logic_error("unreachable");
}

// Holds the content of FANSIM_FUZZ: "EFFORT [SEED [TARGET...]]".
struct Asked {
  double effort = 0;
  std::uint64_t seed = 1;
  std::vector<std::string> names;

  Asked() {
    const char* text = std::getenv("FANSIM_FUZZ");
    REQUIRE(text != nullptr);
    std::istringstream words(text);
    words >> effort >> seed;
    for (std::string word; words >> word;) names.push_back(word);
  }
  bool wants(const std::string& name) const {
    return names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& wanted) {
             return name == wanted || (wanted.back() == '_' && name.rfind(wanted, 0) == 0);
           });
  }
};

// Writes finds to a folder; once they are fixed, they belong into tests/fuzz/cases.
void leave(const Target& target, const test::Find& find) {
  const char* folder = std::getenv("FANSIM_FUZZ_FINDS");
  const std::string place = std::string(folder ? folder : "/tmp/fansim_finds") + "/" + target.name;
  fs::create_directories(place);
  const std::string file = place + "/" + base::Fnv1a().add(find.fault).text();
  base::write_file(file, find.content);
  UNSCOPED_INFO(find.fault);
  FAIL_CHECK(target.name << ": " << find.fault << "\n  " << file);
}

}  // namespace

// A target that refuses files that it should accept tests nothing.
TEST_CASE("every target takes most of its seeds") {
  const test::Workshop workshop;
  for (const Target& target : test::targets()) {
    INFO(target.name);
    const auto count = static_cast<std::int64_t>(target.seeds.size());
    const test::Tally tally = test::campaign(target, 1, {0, count});
    CHECK(tally.files >= count);
    CHECK(2 * (tally.refused + tally.misfits) <= tally.files);
    for (const test::Find& find : tally.finds) leave(target, find);
  }
}

// Each once did what no file may do; its folder is the target's name. What is called refused_ was taken for another.
TEST_CASE("files that once broke a reader are read or refused") {
  const test::Workshop workshop;
  const std::vector<Target> targets = test::targets();
  int files = 0;
  for (const fs::directory_entry& folder : fs::directory_iterator(kCases))
    for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
      INFO(file.path());
      const test::Trial trial =
          test::tried(target_called(targets, folder.path().filename()), base::read_file(file.path()));
      CHECK(trial.fault == "");
      if (file.path().filename().string().rfind("refused_", 0) == 0) CHECK(trial.code == 2);
      ++files;
    }
  CHECK(files > 0);
}

// FANSIM_FUZZ="SECONDS [SEED [TARGET...]]" sets CPU seconds for each of these targets, or for all.
TEST_CASE("mutants of every kind of file are read or refused", "[.mutants]") {
  const Asked asked;
  const test::Workshop workshop;
  fs::create_directories("kept");
  fmt::print("{:<22} {:>9} {:>9} {:>8} {:>6} {:>6} {:>7} {:>6}\n", "target", "files", "refused", "misfits", "slow",
             "kept", "CPU s", "finds");
  test::Tally sum;
  for (const Target& target : test::targets()) {
    if (!asked.wants(target.name)) continue;
    const test::Tally tally = test::campaign(target, asked.seed, {asked.effort, 0});
    fmt::print("{:<22} {:>9} {:>9} {:>8} {:>6} {:>6} {:>7.1f} {:>6}\n", target.name, tally.files, tally.refused,
               tally.misfits, tally.interrupted, tally.kept, tally.cpu_seconds, tally.finds.size());
    std::fflush(stdout);
    sum.files += tally.files;
    sum.cpu_seconds += tally.cpu_seconds;
    for (const test::Find& find : tally.finds) leave(target, find);
  }
  fmt::print("{:<22} {:>9} {:>49.1f}\n", "all", sum.files, sum.cpu_seconds);
  CHECK(sum.files > 0);
}

#ifndef FANSIM_COVERAGE
namespace {

// Runs mutants of each target through the program itself.
void try_program(int each, std::uint64_t seed, const std::function<bool(const std::string&)>& wants) {
  const test::Workshop workshop;
  int tried = 0;
  for (const Target& target : test::targets()) {
    if (target.command.empty() || !wants(target.name)) continue;
    const test::Mutator mutator(target.kind, target.seeds, target.words);
    base::Random random(seed, target.name);
    for (int i = 0; i < each; ++i, ++tried) {
      const std::string content = target.draw && random.chance(50) ? target.draw(random) : mutator.mutant(random);
      const test::Trial trial = test::attempt_program(target, content);
      if (!trial.fault.empty()) leave(target, {trial.fault, content});
    }
  }
  CHECK(tried > 0);
}

}  // namespace

TEST_CASE("the program ends mutants with 0 to 3 or 130") {
  try_program(2, 1, [](const std::string&) { return true; });
}

// FANSIM_FUZZ="FILES [SEED [TARGET...]]" sets the number of files of each target.
TEST_CASE("the program ends many mutants with 0 to 3 or 130", "[.program]") {
  const Asked asked;
  try_program(static_cast<int>(asked.effort), asked.seed, [&](const std::string& name) { return asked.wants(name); });
}
#endif

}  // namespace fansim::fuzz_test
