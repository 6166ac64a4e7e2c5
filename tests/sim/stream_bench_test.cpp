// SPDX-License-Identifier: Apache-2.0
#include "support/stream_bench.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <memory>

#include "base/file.h"
#include "base/temporary_folder.h"

namespace fansim::stream_bench_test {

TEST_CASE("a stream carries one item per edge and shows it one edge after the push") {
  test::Bench bench;
  sim::Stream<int> stream("stream");
  test::Source<int> source("source");
  test::Sink<int> sink("sink");
  source.out(stream);
  sink.in(stream);
  for (int i = 0; i < 200; ++i) source.add(i);
  REQUIRE(bench.run_until([&] { return sink.count() == 200; }));
  for (std::size_t i = 0; i < 200; ++i) {
    REQUIRE(sink.items()[i] == static_cast<int>(i));
    REQUIRE(source.edges()[i] == static_cast<sim::Edge>(i) + 1);
    REQUIRE(sink.edges()[i] == source.edges()[i] + 1);
  }
}

TEST_CASE("a stream loses and reorders nothing when either side stalls at random") {
  test::Bench bench;
  const int stalls[] = {0, 30, 70};
  std::vector<std::unique_ptr<sim::Stream<int>>> streams;
  std::vector<std::unique_ptr<test::Source<int>>> sources;
  std::vector<std::unique_ptr<test::Sink<int>>> sinks;
  std::vector<int> items(500);
  for (int i = 0; i < 500; ++i) items[static_cast<std::size_t>(i)] = i * 7;
  for (int in : stalls)
    for (int out : stalls) {
      const std::string name = fmt::format("s{}_{}", in, out);
      streams.push_back(std::make_unique<sim::Stream<int>>((name + "_stream").c_str()));
      sources.push_back(std::make_unique<test::Source<int>>((name + "_source").c_str(), items, in));
      sinks.push_back(std::make_unique<test::Sink<int>>((name + "_sink").c_str(), out));
      sources.back()->out(*streams.back());
      sinks.back()->in(*streams.back());
    }
  REQUIRE(bench.run_until([&] {
    for (const auto& sink : sinks)
      if (sink->count() < items.size()) return false;
    return true;
  }));
  for (const auto& sink : sinks) REQUIRE(sink->items() == items);
}

TEST_CASE("a source waits for the edge of its item and a sink for its own") {
  test::Bench bench;
  sim::Stream<int> stream("stream");
  test::Source<int> source("source");
  test::Sink<int> sink("sink");
  source.out(stream);
  sink.in(stream);
  source.add(1, 5);
  source.add(2, 20);
  sink.not_before = 10;
  bench.run(40);
  CHECK(source.edges() == std::vector<sim::Edge>{5, 20});
  CHECK(sink.edges() == std::vector<sim::Edge>{10, 21});
}

TEST_CASE("a bench records where the environment names a file") {
  const base::TemporaryFolder folder;
  const std::string file = folder.path() + "/bench.vcd";
  REQUIRE(::setenv("FANSIM_VCD", file.c_str(), 1) == 0);
  {
    test::Bench bench;
    REQUIRE(::unsetenv("FANSIM_VCD") == 0);
    sim::Stream<int> stream("numbers");
    test::Source<int> source("source", {7});
    test::Sink<int> sink("sink");
    source.out(stream);
    sink.in(stream);
    REQUIRE(bench.run_until([&] { return sink.count() == 1; }));
  }
  const std::string text = base::read_file(file);
  CHECK(text.find("numbers") != std::string::npos);
  CHECK(text.find("#8000") != std::string::npos);  // the second edge at 250 MHz
}

}  // namespace fansim::stream_bench_test
