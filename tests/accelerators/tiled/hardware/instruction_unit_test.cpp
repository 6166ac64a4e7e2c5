// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/instruction_unit.h"

#include "accelerators/tiled/config/look_up.h"
#include "sim/violation.h"
#include "support/blocks.h"

namespace fansim::instruction_unit_test {

using axi::LiteRequest;
using axi::LiteResponse;
using tiled::InstructionUnit;
using tiled::TiledJob;

namespace {

constexpr int kEvery = InstructionUnit::kEvery;

// Contains two stages that take every layer, one for engine 0 and one for engine 2.
struct Rig {
  explicit Rig(const std::string& name, std::vector<LiteRequest> requests = {}, test::Stalls stalls = {0, 0},
               bool code_table = false)
      : request((name + "_request").c_str()),
        response((name + "_response").c_str()),
        table((name + "_table").c_str()),
        source((name + "_source").c_str(), std::move(requests), stalls.in),
        sink((name + "_sink").c_str(), stalls.out),
        tables((name + "_tables").c_str(), stalls.out),
        block((name + "_block").c_str(), {kEvery, kEvery, 0, 2}, code_table) {
    block.table(table);
    tables.in(table);
    source.out(request);
    block.request(request);
    block.response(response);
    sink.in(response);
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string stage = name + "_stage" + std::to_string(i);
      streams.push_back(std::make_unique<sim::Stream<TiledJob>>(stage.c_str()));
      stages.push_back(std::make_unique<test::Sink<TiledJob>>((stage + "_sink").c_str(), stalls.out));
      block.stage(i)(*streams[i]);
      stages[i]->in(*streams[i]);
    }
  }
  void add(const TiledJob& job) {
    const tiled::JobImage image = encode(job);
    for (std::uint32_t word = 0; word < image.size(); ++word) source.add({true, 4 * word, image[word]});
    source.add({true, TiledJob::kStart, 1});
  }

  sim::Stream<LiteRequest> request;
  sim::Stream<LiteResponse> response;
  sim::Stream<LiteRequest> table;
  std::vector<std::unique_ptr<sim::Stream<TiledJob>>> streams;
  test::Source<LiteRequest> source;
  test::Sink<LiteResponse> sink;
  test::Sink<LiteRequest> tables;
  std::vector<std::unique_ptr<test::Sink<TiledJob>>> stages;
  InstructionUnit block;
};

TiledJob job_of(int engine, int channels) {
  TiledJob job;
  job.engine = engine;
  job.instruction.in_channels = channels;
  job.output_address = 0x12340000U + static_cast<unsigned>(channels);
  return job;
}

}  // namespace

TEST_CASE("a start gives the layer to the stages of its engine and to those of every engine under random stalls") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const test::Stalls stalls : test::kStallGrid) {
    rigs.push_back(std::make_unique<Rig>("rig" + std::to_string(rigs.size()), std::vector<LiteRequest>{}, stalls));
    for (int i = 0; i < 12; ++i) rigs.back()->add(job_of(i % 3, 100 + i));
  }
  REQUIRE(bench.run_until([&] {
    for (const auto& rig : rigs)
      if (rig->sink.count() < 12 * (tiled::TiledJob::kWords + 1)) return false;
    return true;
  }));
  bench.now();
  for (const auto& rig : rigs)
    for (int stage = 0; stage < 4; ++stage) {
      std::vector<int> expected;
      for (int i = 0; i < 12; ++i)
        if (stage < 2 || i % 3 == (stage == 2 ? 0 : 2)) expected.push_back(100 + i);
      const auto& taken = rig->stages[static_cast<std::size_t>(stage)]->items();
      REQUIRE(taken.size() + 1 >= expected.size());  // the last may still lie in its stream
      for (std::size_t i = 0; i < taken.size(); ++i) {
        REQUIRE(taken[i].instruction.in_channels == expected[i]);
        REQUIRE(print(taken[i]) == print(job_of(taken[i].engine, expected[i])));
      }
    }
}

TEST_CASE("response and layer leave at the edge that takes the write at one write a cycle") {
  test::Bench bench;
  Rig rig("rig");
  rig.add(job_of(2, 7));
  bench.run(100);
  const sim::Edge start = rig.source.edges().back();
  CHECK(start == TiledJob::kWords + 1);  // a write a cycle from 1 on
  CHECK(rig.sink.edges().back() == start + 2);
  for (const std::size_t stage : {0, 1, 3}) CHECK(rig.stages[stage]->edges().at(0) == start + 2);
  CHECK(rig.stages[2]->count() == 0);
}

TEST_CASE("words read back as they were written and count as no write") {
  test::Bench bench;
  Rig rig("rig", {{true, 8, 0xdeadbeef}, {false, 8, 0}, {false, 12, 0}});
  bench.run(20);
  REQUIRE(rig.sink.count() == 3);
  CHECK(rig.sink.items()[1].value == 0xdeadbeef);
  CHECK(rig.sink.items()[2].value == 0);
  CHECK(test::counter(rig.block, "writes") == 1);
  CHECK(test::counter(rig.block, "layers") == 0);
}

TEST_CASE("a start waits until every stage has room") {
  test::Bench bench;
  Rig rig("rig");
  rig.stages[3]->not_before = 300;
  for (int i = 0; i < 3; ++i) rig.add(job_of(2, i));
  bench.run(400);
  // Two layers lie in the stage's stream; the third leaves at the edge after the first was taken.
  CHECK(rig.stages[0]->edges().at(1) < 100);
  CHECK(rig.stages[0]->edges().at(2) == 302);
}

TEST_CASE("a write to no register is a violation") {
  test::Bench bench;
  Rig rig("rig", {{true, TiledJob::kStart + 4, 1}});
  CHECK_THROWS_WITH(bench.run(20), Catch::Contains("write to unknown register at 0x64"));
}

TEST_CASE("a read of no register is a violation") {
  test::Bench bench;
  Rig rig("rig", {{false, TiledJob::kStart, 0}});
  CHECK_THROWS_WITH(bench.run(20), Catch::Contains("read of unknown register at 0x60"));
}

TEST_CASE("a code table's registers' writes are passed on in order under random stalls and without it there are none") {
  test::Bench bench;
  std::vector<LiteRequest> requests{{true, tiled::LookUp::kFormat, 0x1fe}};
  for (std::uint32_t k = 0; k < 128; ++k) requests.push_back({true, tiled::LookUp::kEntries, k << 16 | k * 7});
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const test::Stalls& stalls : test::kStallGrid)
    rigs.push_back(std::make_unique<Rig>("rig" + std::to_string(rigs.size()), requests, stalls, true));
  REQUIRE(bench.run_until([&] {
    for (auto& rig : rigs)
      if (rig->tables.count() < requests.size()) return false;
    return true;
  }));
  for (auto& rig : rigs)
    for (std::size_t k = 0; k < requests.size(); ++k) {
      REQUIRE(rig->tables.items()[k].address == requests[k].address);
      REQUIRE(rig->tables.items()[k].value == requests[k].value);
    }
}

TEST_CASE("without a code table a write to its registers is a violation") {
  test::Bench bench;
  Rig rig("rig", {{true, tiled::LookUp::kEntries, 0}});
  CHECK_THROWS_AS(bench.run_until([] { return false; }), sim::Violation);
}

}  // namespace fansim::instruction_unit_test
