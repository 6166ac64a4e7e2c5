// SPDX-License-Identifier: Apache-2.0
#include "timing/memory.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>

#include "accelerators/stream/config/config.h"

using namespace fansim;
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

TEST_CASE("ports share one memory: fixed, a lane for all or one each if its data path is as wide; banked, its bus") {
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

TEST_CASE("fixed memory takes a train where one port has nothing else to wait for") {
  contract::DdrConfig config = ddr("fixed");
  const Edge latency = config.read_latency = 30;
  const timing::Train train{100, latency, rules::BurstStarts(0, 64, {128, 16, 4})};
  const Edge from = 100 + 1 + 48 + latency;  // of the last burst's data
  CHECK(memory_of(config, 1)->take(train) == from);
  CHECK_FALSE(memory_of(config, 2)->take(train));
  CHECK_FALSE(memory_of(ddr("banked"), 1)->take(train));
  CHECK_FALSE(memory_of(config, 1)->take({100, latency - 1, train.starts}));
  Reader reader;
  Writer writer;
  for (const int turnaround : {0, 1, 50}) {
    config.turnaround = turnaround;
    const auto memory = memory_of(config, 1);
    memory->read(0, reader, 50, 0, 8);
    CHECK_FALSE(memory->take(train));
    while (memory->next()) {
    }
    memory->write(0, writer, 80, 0, 8);
    CHECK_FALSE(memory->take(train));
    while (memory->next()) {
    }
    memory->written(0, 8, writer.taken);
    CHECK(memory->take(train).has_value() == (writer.taken + 8 + turnaround <= 100));
  }
  // A refresh between two bursts; then one while the first waits, too.
  config.refresh_interval = 101 + 20, config.refresh_cycles = 88;
  const auto memory = memory_of(config, 1);
  CHECK(memory->take(train) == from + 88);
  const auto& waits = memory->read_waits(0).all();
  REQUIRE(waits.size() == 3);
  CHECK(waits[1].why == rules::ReadWait::refresh);
  CHECK(waits[1].span.from == 101 + 32 + latency - 1);  // the last beat of two bursts
  CHECK(waits[1].span.to == 101 + 32 + 88);
  config.refresh_interval = 80, config.refresh_cycles = 40;
  CHECK(memory_of(config, 1)->take(train) == from + (80 + 40 - 101) + 40);
}

TEST_CASE("fixed memory takes a write when it has decided so, banked memory at once") {
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

TEST_CASE("every edge of an outstanding read is told, with what it waits for") {
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
