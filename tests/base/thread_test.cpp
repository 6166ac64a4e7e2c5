// SPDX-License-Identifier: Apache-2.0
#include "base/thread.h"

#include <sched.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <vector>

namespace fansim::thread_test {

cpu_set_t cores_of_this() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof cores, &cores);
  return cores;
}

// Returns the cores that a new thread may use, and those of a thread that it starts itself.
std::vector<cpu_set_t> cores_of_new() {
  std::vector<cpu_set_t> cores;
  base::begin_elsewhere([&] {
    cores.push_back(cores_of_this());
    base::begin_elsewhere([&] { cores.push_back(cores_of_this()); }).join();
  }).join();
  return cores;
}

TEST_CASE("a thread that begins elsewhere may use the cores of its maker and so may those that it makes", "[thread]") {
  const cpu_set_t here = cores_of_this();
  REQUIRE(CPU_COUNT(&here) > 0);
  for (int i = 0; i < 200; ++i)
    for (const cpu_set_t& there : cores_of_new()) REQUIRE(CPU_EQUAL(&here, &there));
}

TEST_CASE("the maker of threads that end at once keeps its cores", "[thread]") {
  const cpu_set_t before = cores_of_this();
  std::atomic<int> done{0};
  for (int i = 0; i < 300; ++i) base::begin_elsewhere([&] { ++done; }).join();
  CHECK(done == 300);
  const cpu_set_t after = cores_of_this();
  CHECK(CPU_EQUAL(&before, &after));
}

TEST_CASE("a thread may begin on the only core there is", "[thread]") {
  const cpu_set_t all = cores_of_this();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  const std::vector<cpu_set_t> there = cores_of_new();
  REQUIRE(sched_setaffinity(0, sizeof all, &all) == 0);
  for (const cpu_set_t& cores : there) CHECK(CPU_EQUAL(&one, &cores));
}

}  // namespace fansim::thread_test
