// SPDX-License-Identifier: Apache-2.0
#include "base/child_process.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <stdexcept>

#include "base/interrupt.h"

namespace fansim::child_process_test {

TEST_CASE("a child process returns its text however long and changes nothing here") {
  int here = 1;
  const std::string text = base::in_child_process([&here] {
    here = 2;
    return std::string(300'000, 'x') + "end";
  });
  CHECK(text.size() == 300'003);
  CHECK(text.substr(300'000) == "end");
  CHECK(here == 1);
}

TEST_CASE("what a child process throws is thrown here") {
  CHECK_THROWS_WITH(base::in_child_process([]() -> std::string { throw std::runtime_error("no such thing"); }),
                    "no such thing");
  CHECK_THROWS_AS(base::in_child_process([]() -> std::string { throw base::Interrupted(); }), base::Interrupted);
}

TEST_CASE("a child process that a signal ends is said to have been") {
  CHECK_THROWS_WITH(base::in_child_process([]() -> std::string {
                      std::signal(SIGTERM, SIG_DFL);
                      ::kill(::getpid(), SIGTERM);
                      return "";
                    }),
                    "a child process was ended by a signal");
}

}  // namespace fansim::child_process_test
