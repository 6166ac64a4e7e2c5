// SPDX-License-Identifier: Apache-2.0
#include "base/work/thread.h"

#include <sched.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

namespace fansim::thread_test {

cpu_set_t cores_of_this() {
  cpu_set_t cores;
  REQUIRE(sched_getaffinity(0, sizeof cores, &cores) == 0);
  return cores;
}

// What a new thread may use in the end.
cpu_set_t cores_of_new() {
  std::atomic<bool> made{false};
  cpu_set_t cores;
  std::thread thread = base::begin_elsewhere([&] {
    while (!made) std::this_thread::yield();
    sched_getaffinity(0, sizeof cores, &cores);
  });
  made = true;
  thread.join();
  return cores;
}

TEST_CASE("a thread that begins elsewhere may use the cores of its maker", "[thread]") {
  for (int i = 0; i < 20; ++i) {
    const cpu_set_t here = cores_of_this(), there = cores_of_new();
    CHECK(CPU_EQUAL(&here, &there));
  }
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
  const cpu_set_t there = cores_of_new();
  REQUIRE(sched_setaffinity(0, sizeof all, &all) == 0);
  CHECK(CPU_EQUAL(&one, &there));
}

}  // namespace fansim::thread_test
