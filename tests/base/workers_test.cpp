// SPDX-License-Identifier: Apache-2.0
#include "base/workers.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

namespace fansim::workers_test {

TEST_CASE("every piece of work is done once whatever the threads") {
  for (const int jobs : {1, 2, 5}) {
    std::vector<std::atomic<int>> done(100);
    base::Workers(jobs).each(done.size(), [&](std::size_t i) { ++done[i]; });
    CHECK(std::count(done.begin(), done.end(), 1) == 100);
  }
  base::Workers(3).each(0, [](std::size_t) { FAIL("nothing was to be done"); });
}

TEST_CASE("other threads begin at once and what is left is done at the end") {
  std::promise<void> begun;
  std::atomic<int> done{0};
  base::WorkAhead work(1, 4, [&](std::size_t i) {
    ++done;
    if (i == 0) begun.set_value();
  });
  REQUIRE(begun.get_future().wait_for(std::chrono::seconds(60)) == std::future_status::ready);
  work.finish();
  CHECK(done == 4);
}

TEST_CASE("the first exception ends the work and is thrown on from any thread") {
  for (const int jobs : {1, 3}) {
    std::atomic<int> done{0};
    CHECK_THROWS_WITH(base::Workers(jobs).each(1000,
                                               [&](std::size_t i) {
                                                 if (i == 5) throw std::runtime_error("piece 5");
                                                 ++done;
                                               }),
                      "piece 5");
    CHECK(done < 1000);
  }
}

TEST_CASE("work that nobody finishes is not begun any more") {
  std::promise<void> begun, ended;
  std::atomic<int> done{0};
  {
    base::WorkAhead work(1, 1000, [&](std::size_t i) {
      if (i == 0) begun.set_value();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ++done;
    });
    begun.get_future().wait();
  }
  CHECK(done < 1000);
}

TEST_CASE("no more cores are used than are allowed") {
  const int all = base::cores();
  base::allow_cores(1);
  CHECK(base::cores() == 1);
  base::allow_cores(all + 5);
  CHECK(base::cores() == all);
  base::allow_cores(0);
  CHECK(base::cores() == all);
}

TEST_CASE("who waits for a piece does others meanwhile") {
  for (const int threads : {0, 1, 3}) {
    std::vector<std::atomic<int>> done(50);
    base::WorkAhead work(threads, done.size(), [&](std::size_t i) { ++done[i]; });
    for (const std::size_t piece : {20, 3, 49}) {
      work.wait_for(piece, [] {});
      CHECK(done[piece] == 1);
    }
    work.finish();
    CHECK(std::count(done.begin(), done.end(), 1) == 50);
  }
}

TEST_CASE("who waits with nothing left to begin is called now and then and may give up") {
  struct Stopped {};
  std::promise<void> begun, go;
  std::shared_future<void> gone = go.get_future().share();
  base::WorkAhead work(1, 1, [&](std::size_t) {
    begun.set_value();
    gone.wait();
  });
  begun.get_future().wait();
  int called = 0;
  CHECK_THROWS_AS(work.wait_for(0,
                                [&] {
                                  if (++called == 3) throw Stopped{};
                                }),
                  Stopped);
  CHECK(called == 3);
  go.set_value();
  work.wait_for(0, [] {});
}

TEST_CASE("a piece that was done is there whatever became of the others and one that was not says why") {
  for (const std::vector<int>& kin : {std::vector<int>{}, std::vector<int>{0, 0, 0}}) {
    base::WorkAhead work(
        0, 3,
        [](std::size_t i) {
          if (i == 1) throw std::runtime_error("piece 1");
        },
        kin);
    work.wait_for(0, [] {});
    for (const std::size_t piece : {1, 2}) CHECK_THROWS_WITH(work.wait_for(piece, [] {}), "piece 1");
    work.wait_for(0, [] {});
    CHECK_THROWS_WITH(work.finish(), "piece 1");
  }
}

TEST_CASE("who has done a piece does its kin next and before all what it waits for") {
  std::vector<std::size_t> order;
  base::WorkAhead work(0, 6, [&](std::size_t i) { order.push_back(i); }, {0, 1, 0, 1, 1, 2});
  work.wait_for(5, [] {});
  work.wait_for(3, [] {});
  CHECK(order == std::vector<std::size_t>{5, 3});
  work.finish();
  CHECK(order == std::vector<std::size_t>{5, 3, 1, 4, 0, 2});
}

TEST_CASE("one thread does a piece's kin and another what is kin of none that is being done") {
  std::vector<std::size_t> order;
  base::WorkAhead alone(0, 5, [&](std::size_t i) { order.push_back(i); }, {0, 0, 1, 1, 0});
  alone.finish();
  CHECK(order == std::vector<std::size_t>{0, 1, 4, 2, 3});

  std::promise<void> begun, others;
  std::vector<std::size_t> meanwhile;
  base::WorkAhead shared(1, 4,
                         [&](std::size_t i) {
                           if (i == 0) {
                             begun.set_value();
                             others.get_future().wait();
                           } else {
                             meanwhile.push_back(i);
                             if (meanwhile.size() == 3) others.set_value();
                           }
                         },
                         {0, 0, 1, 1});
  begun.get_future().wait();
  shared.finish();
  CHECK(meanwhile == std::vector<std::size_t>{2, 3, 1});
}

}  // namespace fansim::workers_test
