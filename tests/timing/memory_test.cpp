// SPDX-License-Identifier: Apache-2.0
#include "timing/memory.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>

#include "accelerators/stream/config/config.h"

namespace fansim::memory_test {

using timing::Edge;

namespace {

constexpr int kBytes = 16;

contract::DdrConfig ddr(const std::string& fidelity) {
  const std::string file = std::string(FANSIM_SOURCE_DIR) + "/configs/systems/zcu102_stream.yaml";
  return stream::Config::read(file, {"ddr.fidelity=" + fidelity}).ddr;
}

std::unique_ptr<timing::Memory> memory_of(const contract::DdrConfig& config, int ports) {
  return timing::make_memory(config, kBytes, {250, 1}, ports);
}

struct Reader final : timing::ReadSink {
  Edge data(int beats, Edge from) override {
    count += beats;
    return last = std::max(last + 1, from) + beats - 1;
  }
  int count = 0;
  Edge last = timing::kLongAgo;
};

struct Writer final : timing::WriteSource {
  void take(Edge from) override { taken = from; }
  void respond(Edge from) override { responded = from; }
  Edge taken = timing::kNever, responded = timing::kNever;
};

// The last beats of bursts that are accepted at 100 by the ports of one memory.
std::vector<Edge> last_beats(const contract::DdrConfig& config, const std::vector<std::uint32_t>& addresses) {
  const auto memory = memory_of(config, static_cast<int>(addresses.size()));
  std::vector<Reader> readers(addresses.size());
  for (std::size_t i = 0; i < addresses.size(); ++i)
    memory->read(static_cast<int>(i), readers[i], 100, addresses[i], 64);
  while (memory->next()) {
  }
  std::vector<Edge> last;
  for (const Reader& reader : readers) {
    CHECK(reader.count == 64);
    last.push_back(reader.last);
  }
  return last;
}

}  // namespace

TEST_CASE("ports share one memory: a fixed one has a lane for all or one each and a banked one has its bus") {
  contract::DdrConfig config = ddr("fixed");
  config.data_bits = 8 * kBytes;
  const Edge fixed = 100 + 1 + config.read_latency + 63;
  CHECK(last_beats(config, {0, 4096}) == std::vector<Edge>{fixed, fixed + 64});
  config.data_bits = 2 * 8 * kBytes;
  CHECK(last_beats(config, {0, 4096}) == std::vector<Edge>{fixed, fixed});
  CHECK(last_beats(config, {0, 4096, 8192, 0}) == std::vector<Edge>{fixed, fixed + 64, fixed + 128, fixed + 192});
  config.data_bits = 4 * 8 * kBytes;
  CHECK(last_beats(config, {0, 4096, 8192, 0}) == std::vector<Edge>{fixed, fixed, fixed, fixed});
  const Edge alone = last_beats(ddr("banked"), {0}).front();
  const std::vector<Edge> both = last_beats(ddr("banked"), {0, 4096});
  CHECK(std::max(both[0], both[1]) > alone);
  const std::vector<Edge> all = last_beats(ddr("banked"), {0, 4096, 8192, 12288});
  CHECK(*std::max_element(all.begin(), all.end()) > std::max(both[0], both[1]));
}

TEST_CASE("fixed memory takes a write when it has decided so and banked memory at once") {
  for (const contract::DdrConfig& config : {ddr("fixed"), ddr("banked")}) {
    const auto memory = memory_of(config, 1);
    Writer writer;
    memory->write(0, writer, 100, 0, 8);
    CHECK((writer.taken == 101) == (config.fidelity == contract::DdrFidelity::banked));
    if (writer.taken == timing::kNever) REQUIRE(memory->next());
    CHECK(writer.taken == 101);
    memory->written(0, 5, 101);
    memory->written(0, 3, 110);  // held up
    while (memory->next()) {
    }
    CHECK(writer.responded >= 112 + config.write_latency);
    CHECK(writer.responded < 112 + 2 * config.write_latency);
  }
}

TEST_CASE("a decision in the middle of a write says where it was asked for") {
  const auto memory = memory_of(ddr("fixed"), 2);
  Writer writer;
  Reader reader;
  memory->write(1, writer, 100, 0, 8);
  memory->read(1, reader, 120, 0, 8);
  REQUIRE(memory->next());
  memory->written(1, 6, writer.taken);
  CHECK_THROWS_WITH(memory->next(),
                    Catch::Contains("port 1") && Catch::Contains("edge 121") && Catch::Contains("lacks 2 beats"));
}

TEST_CASE("a memory decides as often as it may or until somebody is stirred as one decision after the other does") {
  struct Stirring final : timing::ReadSink {
    Edge data(int beats, Edge from) override {
      count += beats;
      stirred = stirred || count >= until;
      return last = std::max(last + 1, from) + beats - 1;
    }
    int count = 0, until = 0;
    bool stirred = false;
    Edge last = timing::kLongAgo;
  };
  constexpr int kBursts = 12, kBeats = 8;
  for (const std::string fidelity : {"fixed", "banked"}) {
    for (const int ports : {1, 2}) {
      INFO(fidelity << ", ports " << ports);
      const auto asked = [&](Stirring& reader) {
        auto memory = memory_of(ddr(fidelity), ports);
        for (int i = 0; i < kBursts; ++i)
          memory->read(i % ports, reader, 100 + i, static_cast<std::uint32_t>(i * kBeats * kBytes), kBeats);
        return memory;
      };
      Stirring expected;
      expected.until = kBursts * kBeats + 1;
      const auto one_by_one = asked(expected);
      int decisions = 0;
      while (one_by_one->next()) ++decisions;
      REQUIRE(expected.count == kBursts * kBeats);

      Stirring reader;
      reader.until = 5 * kBeats;
      const auto memory = asked(reader);
      CHECK(memory->decide(reader.stirred, 2) == 2);
      const int until_stirred = memory->decide(reader.stirred, 1000);
      CHECK(reader.count == 5 * kBeats);
      CHECK(memory->decide(reader.stirred, 1000) == 1);  // which nobody has put right
      reader.stirred = false;
      reader.until = expected.until;
      const int rest = memory->decide(reader.stirred, 1000);
      CHECK(2 + until_stirred + 1 + rest == decisions);
      CHECK(reader.count == expected.count);
      CHECK(reader.last == expected.last);
      CHECK(memory->decide(reader.stirred, 1000) == 0);
    }
  }
}

TEST_CASE("every edge of an outstanding read is told with what it waits for") {
  for (const contract::DdrConfig& config : {ddr("fixed"), ddr("banked")}) {
    const auto memory = memory_of(config, 1);
    Reader reader;
    memory->read(0, reader, 100, 0, 64);
    memory->read(0, reader, 110, 1 << 20, 64);
    while (memory->next()) {
    }
    Edge at = 100;
    bool row_miss = false;
    for (const timing::ReadWaits::Wait& wait : memory->read_waits(0).all()) {
      CHECK(wait.span.from == at);
      at = wait.span.to;
      row_miss |= wait.why == rules::ReadWait::row_miss;
    }
    CHECK(at == reader.last);
    CHECK(row_miss == (config.fidelity == contract::DdrFidelity::banked));
  }
}

TEST_CASE("waits for something are all that are for anything") {
  using Kept = timing::ReadWaits::Kept;
  const auto waits_of = [](const contract::DdrConfig& config, Kept kept) {
    const auto memory = memory_of(config, 2);
    memory->keep_read_waits(kept);
    Reader readers[2];
    Writer writer;
    for (int i = 0; i < 12; ++i) {
      memory->read(0, readers[0], 100 + 300 * i, static_cast<std::uint32_t>(i) << 20, 64);
      memory->read(1, readers[1], 110 + 300 * i, static_cast<std::uint32_t>(i + 7) << 20, 32);
      writer = {};
      memory->write(1, writer, 120 + 300 * i, 0, 16);
      while (memory->next())
        if (writer.taken != timing::kNever && writer.responded == timing::kNever) memory->written(1, 16, writer.taken);
    }
    return memory->read_waits(0).all();
  };
  timing::ReadWaits some_kept;
  some_kept.keep(Kept::for_something);
  CHECK_THROWS_AS(some_kept.extend(1), std::logic_error);
  for (contract::DdrConfig config : {ddr("fixed"), ddr("banked")}) {
    config.data_bits = 8 * kBytes;
    config.turnaround = 5;  // one lane
    config.refresh_interval = 700;
    config.refresh_cycles = 60;
    const auto all = waits_of(config, Kept::all), some = waits_of(config, Kept::for_something);
    CHECK(waits_of(config, Kept::none).empty());
    std::size_t at = 0;
    for (const timing::ReadWaits::Wait& wait : all) {
      if (wait.why == rules::ReadWait::none) continue;
      REQUIRE(at < some.size());
      CHECK(some[at].span.from == wait.span.from);
      CHECK(some[at].span.to == wait.span.to);
      CHECK(some[at++].why == wait.why);
    }
    CHECK(at == some.size());
    CHECK(at > 5);
    CHECK(all.size() > at);
  }
}

}  // namespace fansim::memory_test
