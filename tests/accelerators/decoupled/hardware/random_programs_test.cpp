// SPDX-License-Identifier: Apache-2.0
// These tests run random machines on random commands with both engines. Every program runs in a child, because a
// process can elaborate only once.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>

#include "accelerators/decoupled/hardware/random_program.h"

namespace fansim::random_programs_test {

namespace {

// Returns what a child reports.
std::string in_child(const std::function<std::string()>& work) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const std::string text = work();
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
  return status != 0 ? fmt::format("the child ended with status {}", status) : text;
}

std::string compare(std::uint64_t seed, test::Order order) {
  try {
    const test::CommandProgram program = test::random_program(seed, order);
    const test::EngineRun clocked = test::run_clocked(program), fast = test::run_fast(program);
    std::string text = test::difference(clocked, fast);
    if (!text.empty() || order == test::Order::tokens) return text;
    const std::vector<std::uint8_t> expected = test::run_serially(program);
    const auto at = std::mismatch(expected.begin(), expected.end(), clocked.memory.begin()).first - expected.begin();
    if (at == static_cast<std::ptrdiff_t>(expected.size())) return "";
    return fmt::format("byte {:#x} is {}, not {}", at, clocked.memory[static_cast<std::size_t>(at)],
                       expected[static_cast<std::size_t>(at)]);
  } catch (const std::exception& error) {
    return error.what();
  }
}

void fuzz(std::uint64_t first, int programs, test::Order order) {
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(programs); ++seed) {
    const std::string text = in_child([&] { return compare(seed, order); });
    if (!text.empty()) FAIL_CHECK(fmt::format("seed {}: {}", seed, text));
  }
}

// Runs as many programs as FANSIM_FUZZ="FIRST_SEED PROGRAMS" says.
void fuzz_as_asked(test::Order order) {
  const char* text = std::getenv("FANSIM_FUZZ");
  REQUIRE(text != nullptr);
  char* rest = nullptr;
  const std::uint64_t first = std::strtoull(text, &rest, 10);
  fuzz(first, static_cast<int>(std::strtol(rest, nullptr, 10)), order);
}

}  // namespace

TEST_CASE("units that tokens couple take the same cycles in both engines") { fuzz(1, 200, test::Order::tokens); }
TEST_CASE("commands one after the other leave what each of them says") { fuzz(1, 60, test::Order::serial); }
TEST_CASE("random commands coupled by tokens as asked", "[.fuzz]") { fuzz_as_asked(test::Order::tokens); }
TEST_CASE("random commands one after the other as asked", "[.serial_fuzz]") { fuzz_as_asked(test::Order::serial); }

}  // namespace fansim::random_programs_test
