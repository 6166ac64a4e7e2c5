// SPDX-License-Identifier: Apache-2.0
#include "timing/trains/fixed_trains.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "accelerators/stream/config/config.h"
#include "base/random.h"

namespace fansim::fixed_trains_test {

using timing::Edge;
using timing::trains::FixedTrains;
using timing::trains::ReadTrain;

namespace {

constexpr int kBytes = 16;

contract::DdrConfig ddr(const std::string& fidelity) {
  const std::string file = std::string(FANSIM_SOURCE_DIR) + "/configs/systems/zcu102_stream.yaml";
  return stream::Config::read(file, {"ddr.fidelity=" + fidelity}).ddr;
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

}  // namespace

TEST_CASE("fixed memory takes a train where it is the only read and answers in time") {
  contract::DdrConfig config = ddr("fixed");
  const Edge latency = config.read_latency = 30;
  const ReadTrain train{100, latency, rules::BurstStarts(0, 64, {128, 16, 4})};
  Reader reader;
  CHECK(FixedTrains(config, kBytes).read_all(reader, train));
  CHECK_FALSE(FixedTrains(config, kBytes).read_all(reader, {100, latency - 1, train.starts}));
  FixedTrains busy(config, kBytes);
  busy.read(0, reader, 50, 0, 8);
  CHECK_FALSE(busy.read_all(reader, train));
}

TEST_CASE("a train's bursts hold fixed memory one behind the other but for refreshes and writes") {
  contract::DdrConfig config = ddr("fixed");
  config.read_latency = 30;
  config.turnaround = 0;
  const ReadTrain train{100, 30, rules::BurstStarts(0, 64, {128, 16, 4})};
  const Edge last = 100 + 1 + 64 + 30 - 1;  // beat
  // The last beat, and how the oldest read's waits change.
  const auto run = [&](Edge written) {
    FixedTrains memory(config, kBytes);
    Reader reader;
    Writer writer;
    REQUIRE(memory.read_all(reader, train));
    if (written < timing::kNever) memory.write(0, writer, written, 0, 50);
    while (memory.next())
      if (writer.taken != timing::kNever && writer.responded == timing::kNever) memory.written(0, 50, writer.taken);
    CHECK(reader.count == 16);
    std::vector<Edge> changes;
    for (const auto& wait : memory.read_waits(0).all()) changes.push_back(wait.span.to);
    CHECK(changes.back() == reader.last);
    changes.pop_back();
    return std::make_pair(reader.last, changes);
  };
  using Seen = std::pair<Edge, std::vector<Edge>>;
  CHECK(run(timing::kNever) == Seen{last, {}});
  // Seen while the second burst is on the bus: behind that, with the third one's wait from the second's last beat on.
  CHECK(run(101 + 16) == Seen{last + 50, {101 + 32 + 29, 101 + 32 + 50}});
  config.turnaround = 3;
  CHECK(run(101 + 16) == Seen{last + 56, {101 + 32 + 29, 101 + 32 + 53, 101 + 32 + 56}});
  config.turnaround = 0;
  config.refresh_interval = 125;
  config.refresh_cycles = 40;
  CHECK(run(timing::kNever) == Seen{last + 40, {101 + 32 + 29, 101 + 32 + 40}});
  // If both are due, the refresh goes first.
  CHECK(run(101 + 16) == Seen{last + 90, {101 + 32 + 29, 101 + 32 + 40, 101 + 32 + 90}});
  config.refresh_interval = 80;  // while the first burst waits, too
  CHECK(run(timing::kNever).first == last + (80 + 40 - 101) + 40);
}

// Reads of random lengths, with a write now and then: as a train, and burst by burst.
TEST_CASE("a train's last beat comes when the last of its bursts would come by itself") {
  for (unsigned seed = 1; seed <= 500; ++seed) {
    INFO("seed " << seed);
    base::Random random(seed, "trains");
    contract::DdrConfig config = ddr("fixed");
    config.read_latency = random.uniform(1, 20);
    config.turnaround = random.chance(50) ? 0 : random.uniform(1, 40);
    config.refresh_interval = random.uniform(100, 900);
    config.refresh_cycles = random.uniform(0, 90);
    FixedTrains trains(config, kBytes);
    timing::FixedMemory bursts(config, kBytes, 1);
    Edge now = random.uniform(0, 500);
    for (int i = 0; i < 5; ++i) {
      const std::int64_t beats = random.uniform(1, 300);
      const rules::BurstStarts starts(static_cast<std::uint64_t>(random.uniform(0, 4096)), beats, {128, 16, 4});
      Reader whole, each;
      Writer written, its;
      if (random.chance(40)) {
        const Edge write = now + random.uniform(0, 200);
        trains.write(0, written, write, 0, 8);
        bursts.write(0, its, write, 0, 8);
      }
      REQUIRE(trains.read_all(whole, {now, timing::kNever, starts}));
      Edge arrival = now;
      for (std::int64_t beat = 0; beat < beats; beat = starts.end(beat))
        bursts.read(0, each, arrival++, 0, static_cast<int>(starts.end(beat) - beat));
      const auto finish = [](timing::Memory& memory, Writer& writer) {
        while (memory.next())
          if (writer.taken != timing::kNever && writer.responded == timing::kNever) memory.written(0, 8, writer.taken);
      };
      finish(trains, written);
      finish(bursts, its);
      REQUIRE(whole.last == each.last);
      REQUIRE(written.responded == its.responded);
      now = whole.last + random.uniform(1, 400);
      if (written.responded != timing::kNever) now = std::max(now, written.responded);
    }
  }
}

}  // namespace fansim::fixed_trains_test
