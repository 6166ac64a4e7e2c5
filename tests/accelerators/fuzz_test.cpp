// SPDX-License-Identifier: Apache-2.0
// These tests run random machines on random layers with both engines. Every case runs in a child, because a process can
// elaborate only once.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "accelerators/both_engines.h"
#include "accelerators/registry.h"
#include "base/error.h"
#include "base/random.h"
#include "network/network.h"
#include "random/random_case.h"
#include "runs/layer_differences.h"
#include "runs/run.h"
#include "training/train.h"

namespace fansim::fuzz_test {

namespace {

const std::string kSource = FANSIM_SOURCE_DIR;
const std::string kCases = kSource + "/tests/accelerators/cases";

// A folder of the process's own, for the network and the files that it names.
std::string folder() { return fmt::format("/tmp/fansim_fuzz.{}", getpid()); }
std::string network_file() { return folder() + "/network.yaml"; }

// Trains with a few images on both engines, and compares every weight with the reference.
test::Comparison compare_trainings(const test::Case& c, const std::string& file) {
  training::Request request;
  request.config = kSource + "/" + c.base;
  request.network = file;
  request.overrides = c.settings;
  const network::Shape shape = network::load_network(file, {}).input.shape;
  request.height = shape.height;
  request.width = shape.width;
  base::Random random(shape.elements(), "pictures");
  constexpr std::size_t kPictures = 3;
  std::vector<std::uint8_t> pixels(kPictures * static_cast<std::size_t>(shape.elements()));
  for (std::uint8_t& pixel : pixels) pixel = static_cast<std::uint8_t>(random.uniform(0, 255));
  const std::vector<std::uint8_t> labels(kPictures, 0);
  request.train = request.test = {pixels.data(), labels.data(), kPictures};
  request.cross_check = request.verify = true;
  const training::Result result = training::train(request);
  if (result.unschedulable) return {0, "", result.unschedulable->reason};
  return {static_cast<int>(kPictures), result.differences.empty() ? "" : result.differences.front(), ""};
}

// Runs a case as the program does, with values on every engine, and without.
test::Comparison compare_runs(const test::Case& c, const std::string& file) {
  runs::Request request;
  request.config = kSource + "/" + c.base;
  request.network = file;
  request.overrides = c.settings;
  request.layers = c.only;
  request.frames = c.frames;
  request.verify = request.cross_check = true;
  const runs::Run run = runs::run(request);
  if (run.unschedulable) return {0, "", run.unschedulable->reason};
  test::Comparison result{static_cast<int>(run.layers.size()), "", ""};
  if (!run.differences.empty()) result.difference = run.differences.front();
  request.values = request.verify = request.cross_check = false;
  const runs::Run timed = runs::run(request);
  if (timed.unschedulable) result.difference = "does not fit without values: " + timed.unschedulable->reason;
  if (!result.difference.empty()) return result;
  const auto lines = runs::layer_differences(run.accelerator->account(), run.layers, timed.layers, test::kTimed);
  if (!lines.empty()) result.difference = lines.front();
  if (run.frames.total != timed.frames.total) result.difference = "frames take other cycles without values";
  return result;
}

// Returns "<layers> <difference>" from a child.
std::string report(const test::Case& c, const std::string& file) {
  try {
    const auto accelerator = accelerators::read_accelerator(kSource + "/" + c.base, c.settings);
    const auto result = accelerator->trainer()            ? compare_trainings(c, file)
                        : c.frames > 0 || !c.only.empty() ? compare_runs(c, file)
                                                          : test::compare_engines(file, *accelerator, true);
    return fmt::format("{} {}", result.layers, result.difference);
  } catch (const base::UserError&) {
    return "0 ";  // a random network may be none
  } catch (const std::exception& error) {
    return fmt::format("0 {}", error.what());
  }
}

struct Outcome {
  int layers = 0;
  std::string difference;
};

Outcome run(const test::Case& c) {
  const std::string file = network_file();
  std::filesystem::create_directories(folder());
  test::write_case(c, file);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const std::string text = report(c, file);
    const auto sent = write(ends[1], text.data(), text.size());
    _exit(sent == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) return {0, fmt::format("the child ended with status {}", status)};
  const std::size_t space = text.find(' ');
  return {std::atoi(text.c_str()), text.substr(space + 1)};
}

// Leaves out what the difference does not need; a case that is an error shows none.
template <class List>
void shrink(test::Case& c, List test::Case::*list, std::size_t least) {
  for (std::size_t i = (c.*list).size(); i-- > 0 && (c.*list).size() > least;) {
    test::Case smaller = c;
    (smaller.*list).erase((smaller.*list).begin() + static_cast<std::ptrdiff_t>(i));
    if (!run(smaller).difference.empty()) c = smaller;
  }
}

using RandomCase = test::Case (*)(std::uint64_t seed);

// Compares `machines` random machines from `first_seed` on; returns the layers compared.
int fuzz(RandomCase random_case, std::uint64_t first_seed, int machines) {
  int layers = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(machines); ++seed) {
    test::Case c = random_case(seed);
    if (random_case != test::random_trainer_case) test::add_extremes(seed, c);
    const Outcome outcome = run(c);
    layers += outcome.layers;
    if (outcome.difference.empty()) continue;
    shrink(c, &test::Case::layers, 1);
    shrink(c, &test::Case::settings, 0);
    const Outcome small = run(c);
    FAIL(fmt::format("seed {}: {}\nshrunk: {}\nreplay: {}\nas a file of tests/accelerators/cases:\n{}", seed,
                     outcome.difference, small.difference, c.replay(network_file()), c.file(small.difference)));
  }
  std::filesystem::remove_all(folder());
  return layers;
}

// Runs as many machines as FANSIM_FUZZ="FIRST_SEED MACHINES" says.
int fuzz_as_asked(RandomCase random_case) {
  const char* text = std::getenv("FANSIM_FUZZ");
  REQUIRE(text != nullptr);
  char* rest = nullptr;
  const std::uint64_t first = std::strtoull(text, &rest, 10);
  return fuzz(random_case, first, static_cast<int>(std::strtol(rest, nullptr, 10)));
}

constexpr RandomCase kStream = test::random_stream_case, kTiled = test::random_tiled_case,
                     kVision = test::random_vision_case, kTrainer = test::random_trainer_case,
                     kDecoupled = test::random_decoupled_case;

}  // namespace

// Each file has a machine on which the engines once differed, and says why.
TEST_CASE("machines that once differed agree") {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(kCases)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() >= 7);
  for (const std::string& file : files) {
    INFO(file);
    const Outcome outcome = run(test::Case::read(file));
    CHECK(outcome.difference.empty());
    CHECK(outcome.layers > 0);
  }
  std::filesystem::remove_all(folder());
}

TEST_CASE("a case read from its file is the case that was written") {
  for (const RandomCase random_case : {kStream, kTiled, kVision, kTrainer, kDecoupled}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      test::Case c = random_case(seed);
      test::add_extremes(seed, c);
      const std::string file = network_file();
      std::filesystem::create_directories(folder());
      std::ofstream(file) << c.file("no reason");
      const test::Case read = test::Case::read(file);
      CHECK((read.base == c.base && read.settings == c.settings));
      CHECK(read.network() == c.network());
      CHECK((read.only == c.only && read.frames == c.frames));
    }
  }
  std::filesystem::remove_all(folder());
}

TEST_CASE("random machines agree on random layers: first quarter") { CHECK(fuzz(kStream, 1, 15) >= 75); }
TEST_CASE("random machines agree on random layers: second quarter") { CHECK(fuzz(kStream, 101, 15) >= 75); }
TEST_CASE("random machines agree on random layers: third quarter") { CHECK(fuzz(kStream, 201, 15) >= 75); }
TEST_CASE("random machines agree on random layers: fourth quarter") { CHECK(fuzz(kStream, 301, 15) >= 75); }

TEST_CASE("random tiled machines agree on random layers: first quarter") { CHECK(fuzz(kTiled, 1, 20) >= 50); }
TEST_CASE("random tiled machines agree on random layers: second quarter") { CHECK(fuzz(kTiled, 101, 20) >= 50); }
TEST_CASE("random tiled machines agree on random layers: third quarter") { CHECK(fuzz(kTiled, 201, 20) >= 50); }
TEST_CASE("random tiled machines agree on random layers: fourth quarter") { CHECK(fuzz(kTiled, 301, 20) >= 50); }

TEST_CASE("random vision machines agree on random pipelines: first half") { CHECK(fuzz(kVision, 1, 25) >= 25); }
TEST_CASE("random vision machines agree on random pipelines: second half") { CHECK(fuzz(kVision, 101, 25) >= 25); }

TEST_CASE("random trainers agree on random trainings") { CHECK(fuzz(kTrainer, 1, 40) >= 60); }

TEST_CASE("random decoupled machines agree on random layers: first half") { CHECK(fuzz(kDecoupled, 1, 20) >= 100); }
TEST_CASE("random decoupled machines agree on random layers: second half") { CHECK(fuzz(kDecoupled, 101, 20) >= 100); }

// FANSIM_FUZZ="stream|tiled|vision|trainer|decoupled SEED" prints the case of a seed as a file.
TEST_CASE("the case of a seed as a file", "[.case]") {
  const char* text = std::getenv("FANSIM_FUZZ");
  REQUIRE(text != nullptr);
  const std::string kind = std::string(text).substr(0, std::string(text).find(' '));
  const std::uint64_t seed = std::strtoull(text + kind.size(), nullptr, 10);
  const RandomCase random_case = kind == "tiled"       ? kTiled
                                 : kind == "vision"    ? kVision
                                 : kind == "trainer"   ? kTrainer
                                 : kind == "decoupled" ? kDecoupled
                                                       : kStream;
  test::Case c = random_case(seed);
  if (random_case != kTrainer) test::add_extremes(seed, c);
  fmt::print("{}", c.file("seed " + std::to_string(seed)));
}

TEST_CASE("as many random machines as asked for", "[.fuzz]") { CHECK(fuzz_as_asked(kStream) > 0); }
TEST_CASE("as many random tiled machines as asked for", "[.tiledfuzz]") { CHECK(fuzz_as_asked(kTiled) > 0); }
TEST_CASE("as many random vision machines as asked for", "[.visionfuzz]") { CHECK(fuzz_as_asked(kVision) > 0); }
TEST_CASE("as many random trainers as asked for", "[.trainerfuzz]") { CHECK(fuzz_as_asked(kTrainer) > 0); }
TEST_CASE("as many random decoupled machines as asked for", "[.decoupledfuzz]") {
  CHECK(fuzz_as_asked(kDecoupled) > 0);
}

}  // namespace fansim::fuzz_test
