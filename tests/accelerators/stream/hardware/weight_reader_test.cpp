// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/weight_reader.h"

#include "support/blocks.h"

namespace fansim::weight_reader_test {

using stream::WeightColumn;
using stream::WeightCommand;
using stream::WeightReader;
using Lanes = test::Lanes<WeightReader, WeightCommand, WeightColumn>;

namespace {

constexpr std::uint64_t kSeed = 13;
constexpr int kRows = 40;  // rows of the buffer

contract::AxiConfig axi_of(int data_bits) {
  contract::AxiConfig axi;
  axi.data_bits = data_bits;
  return axi;
}

std::vector<WeightCommand> random_sets(const stream::ArrayConfig& config, int n, base::Random& random) {
  std::vector<WeightCommand> sets(static_cast<std::size_t>(n));
  for (WeightCommand& set : sets) set = {random.uniform(0, 2), random.uniform(0, kRows - config.cols)};
  return sets;
}

// Column c of a set is buffer row `row + c`; rows start at multiples of the stream's beat.
void require_columns(const stream::ArrayConfig& config, int beat, const test::Memory& memory,
                     const std::vector<WeightCommand>& sets, const std::vector<WeightColumn>& out) {
  const int bytes = config.rows * config.input_channels * config.output_channels;
  const int pitch = (bytes + beat - 1) / beat * beat;
  std::size_t k = 0;
  for (const WeightCommand& set : sets)
    for (int c = 0; c < config.cols; ++c, ++k)
      REQUIRE(std::memcmp(out[k].bytes.data(),
                          memory.bytes[static_cast<std::size_t>(set.target)].data() + (set.row + c) * pitch,
                          static_cast<std::size_t>(bytes)) == 0);
}

}  // namespace

TEST_CASE("the weight reader delivers the rows of each set from either half or the resident store") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Memory memory(1 << 18);
  memory.randomise(random);
  test::Bench bench;
  Lanes lanes(bench, &WeightReader::command, &WeightReader::columns);
  std::vector<std::vector<WeightCommand>> sets;
  for (const stream::ArrayConfig& config : test::array_shapes())
    for (int data_bits : {64, 128}) {
      sets.push_back(random_sets(config, 25, random));
      lanes.add(sets.back(), static_cast<std::size_t>(25 * config.cols), {0, 0}, config, axi_of(data_bits), memory);
    }
  lanes.run();
  std::size_t i = 0;
  for (const stream::ArrayConfig& config : test::array_shapes())
    for (int beat : {8, 16}) {
      require_columns(config, beat, memory, sets[i], lanes[i].sink.items());
      ++i;
    }
}

TEST_CASE("a weight row takes the latency of a block RAM") {
  test::Memory memory;
  test::Bench bench;
  Lanes lanes(bench, &WeightReader::command, &WeightReader::columns);
  auto& lane = lanes.add({}, 6, {0, 0}, test::array_of(3, 3, 8, 8), axi_of(128), memory);
  lane.source.add({0, 0}, 5);
  lane.source.add({0, 3}, 50);
  lanes.run();
  // The first row of a set is read at the edge that takes the command, the others at the edges after it.
  for (std::size_t set = 0; set < 2; ++set)
    for (std::size_t c = 0; c < 3; ++c)
      REQUIRE(lane.latency(set, 3 * set + c) == static_cast<sim::Edge>(c) + stream::ArrayConfig::bram_read_latency());
}

TEST_CASE("the weight reader delivers one column per cycle with no bubble between sets") {
  base::Random random(kSeed);
  test::Memory memory(1 << 18);
  test::Bench bench;
  Lanes lanes(bench, &WeightReader::command, &WeightReader::columns);
  for (const stream::ArrayConfig& config : test::array_shapes())
    lanes.add(random_sets(config, 120, random), static_cast<std::size_t>(120 * config.cols), {0, 0}, config,
              axi_of(128), memory);
  lanes.run();
  for (std::size_t i = 0; i < lanes.size(); ++i) REQUIRE(test::back_to_back(lanes[i].sink.edges()));
}

TEST_CASE("random stalls lose no weight column and stalls are counted only while the array takes none") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Memory memory(1 << 18);
  memory.randomise(random);
  test::Bench bench;
  Lanes lanes(bench, &WeightReader::command, &WeightReader::columns);
  const stream::ArrayConfig config = test::array_of(5, 5, 4, 8);
  const std::vector<WeightCommand> sets = random_sets(config, 60, random);
  for (const test::Stalls& stalls : test::kStallGrid) lanes.add(sets, 300, stalls, config, axi_of(64), memory);
  lanes.run();
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    require_columns(config, 8, memory, sets, lanes[i].sink.items());
    REQUIRE(test::count(lanes[i].block, "columns") == 300);
    REQUIRE(lanes[i].account.contradictions == 0);
    // While a set is being read the next command waits: beats are sets here, the other edges columns.
    REQUIRE(lanes[i].account.beats == 60);
    REQUIRE(lanes[i].account.unexplained <= 240);
  }
}

}  // namespace fansim::weight_reader_test
