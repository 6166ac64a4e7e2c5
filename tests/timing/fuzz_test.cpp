// SPDX-License-Identifier: Apache-2.0
// Random machines on random layers, both engines. Every case runs in a child, because a process elaborates once.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "random/random_case.h"
#include "timing/both_engines.h"

using namespace fansim;

namespace {

const std::string kSource = FANSIM_SOURCE_DIR;

std::string network_file() { return fmt::format("/tmp/fansim_fuzz.{}.yaml", getpid()); }

// In a child: "<layers> <difference>".
std::string report(const test::Case& c, const std::string& file) {
  try {
    const arch::AcceleratorConfig config = arch::load_config(kSource + "/" + c.base, c.settings);
    const auto result = test::compare_engines(file, config, true);
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
  std::ofstream(file) << c.network();
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
    const Outcome outcome = run(c);
    layers += outcome.layers;
    if (outcome.difference.empty()) continue;
    shrink(c, &test::Case::layers, 1);
    shrink(c, &test::Case::settings, 0);
    const Outcome small = run(c);
    FAIL(fmt::format("seed {}: {}\nshrunk: {}\n{}\nreplay: {}", seed, outcome.difference, small.difference, c.network(),
                     c.replay(network_file())));
  }
  unlink(network_file().c_str());
  return layers;
}

// As many as FANSIM_FUZZ="FIRST_SEED MACHINES" says.
int fuzz_as_asked(RandomCase random_case) {
  const char* text = std::getenv("FANSIM_FUZZ");
  REQUIRE(text != nullptr);
  char* rest = nullptr;
  const std::uint64_t first = std::strtoull(text, &rest, 10);
  return fuzz(random_case, first, static_cast<int>(std::strtol(rest, nullptr, 10)));
}

constexpr RandomCase kStream = test::random_stream_case, kTiled = test::random_tiled_case;

}  // namespace

// Two reads in flight, evenly spaced, hide a refresh from the accounts but not from what follows.
TEST_CASE("a machine that once differed agrees") { CHECK(fuzz(kStream, 61288, 1) > 0); }

// Beats that came steadily because the DMA's FIFO had no room came sooner once it had.
TEST_CASE("a machine whose tiles wait for the memory agrees") { CHECK(fuzz(kStream, 50096, 1) > 0); }

// Reads that wait for two rows may be of two ports; then the next one must not be told late.
TEST_CASE("a tiled machine whose ports' reads wait side by side agrees") { CHECK(fuzz(kTiled, 60068, 1) > 0); }

// With one burst in flight at the port the next one's data are under way before it is granted.
TEST_CASE("a tiled machine that once differed agrees") { CHECK(fuzz(kTiled, 2236, 1) > 0); }

TEST_CASE("random machines agree on random layers, first quarter") { CHECK(fuzz(kStream, 1, 15) >= 75); }
TEST_CASE("random machines agree on random layers, second quarter") { CHECK(fuzz(kStream, 101, 15) >= 75); }
TEST_CASE("random machines agree on random layers, third quarter") { CHECK(fuzz(kStream, 201, 15) >= 75); }
TEST_CASE("random machines agree on random layers, fourth quarter") { CHECK(fuzz(kStream, 301, 15) >= 75); }

TEST_CASE("random tiled machines agree on random layers, first quarter") { CHECK(fuzz(kTiled, 1, 20) >= 50); }
TEST_CASE("random tiled machines agree on random layers, second quarter") { CHECK(fuzz(kTiled, 101, 20) >= 50); }
TEST_CASE("random tiled machines agree on random layers, third quarter") { CHECK(fuzz(kTiled, 201, 20) >= 50); }
TEST_CASE("random tiled machines agree on random layers, fourth quarter") { CHECK(fuzz(kTiled, 301, 20) >= 50); }

TEST_CASE("as many random machines as asked for", "[.fuzz]") { CHECK(fuzz_as_asked(kStream) > 0); }
TEST_CASE("as many random tiled machines as asked for", "[.tiledfuzz]") { CHECK(fuzz_as_asked(kTiled) > 0); }
