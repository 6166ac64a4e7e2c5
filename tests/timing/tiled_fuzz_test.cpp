// SPDX-License-Identifier: Apache-2.0
// Random tiled machines on random layers, both engines. Every case runs in a child, because a process elaborates once.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "support/user_error.h"
#include "timing/tiled_case.h"

using namespace fansim;

namespace {

struct Outcome {
  int layers = 0;
  std::string difference;
};

// In a child: "<layers> <difference>".
std::string report(const test::TiledCase& c, const std::string& file) {
  try {
    int layers = 0;
    const std::string difference = test::compare_tiled(c.config, file, true, layers);
    return fmt::format("{} {}", layers, difference);
  } catch (const base::UserError&) {
    return "0 ";  // a random network may be none
  } catch (const std::exception& error) {
    return fmt::format("0 {}", error.what());
  }
}

Outcome run(const test::TiledCase& c) {
  const test::ScratchDirectory scratch;
  const std::string file = scratch / "network.yaml";
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

// Leaves out the layers that the difference does not need.
void shrink(test::TiledCase& c) {
  for (std::size_t i = c.layers.size(); i-- > 0 && c.layers.size() > 1;) {
    test::TiledCase smaller = c;
    smaller.layers.erase(smaller.layers.begin() + static_cast<std::ptrdiff_t>(i));
    if (!run(smaller).difference.empty()) c = smaller;
  }
}

// Compares `machines` random machines from `first` on; returns the layers compared.
int fuzz(std::uint64_t first, int machines) {
  int layers = 0;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(machines); ++seed) {
    test::TiledCase c = test::random_tiled_case(seed);
    const Outcome outcome = run(c);
    layers += outcome.layers;
    if (outcome.difference.empty()) continue;
    shrink(c);
    FAIL(fmt::format("seed {}: {}\nshrunk: {}\n{}", seed, outcome.difference, run(c).difference, c.text()));
  }
  return layers;
}

}  // namespace

TEST_CASE("random tiled machines agree on random layers, first part") { CHECK(fuzz(1, 20) >= 50); }
TEST_CASE("random tiled machines agree on random layers, second part") { CHECK(fuzz(101, 20) >= 50); }
TEST_CASE("random tiled machines agree on random layers, third part") { CHECK(fuzz(201, 20) >= 50); }
TEST_CASE("random tiled machines agree on random layers, fourth part") { CHECK(fuzz(301, 20) >= 50); }

// FANSIM_FUZZ="FIRST_SEED MACHINES".
TEST_CASE("as many random tiled machines as asked for", "[.tiledfuzz]") {
  const char* text = std::getenv("FANSIM_FUZZ");
  REQUIRE(text != nullptr);
  char* rest = nullptr;
  const std::uint64_t first = std::strtoull(text, &rest, 10);
  const int machines = static_cast<int>(std::strtol(rest, nullptr, 10));
  CHECK(fuzz(first, machines) > 0);
}
