// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/values/stream_values.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/random.h"
#include "contract/dma_map.h"

namespace fansim::stream_values_test {

using stream::Command;

namespace {

constexpr int kWindows = 3, kGroups = 2, kShift = 4;

// Runs 1 x 1 windows of a line that a program of many rounds adds up. It holds inputs, weights, bias and outputs in
// memory, and the registers that the host would write.
class Rig {
 public:
  Rig()
      : config_(stream::Config::read(FANSIM_SOURCE_DIR "/configs/systems/tiny_stream.yaml", {})),
        channels_(config_.array.input_channels),
        memory_(kRounds * kPart),
        values_(config_, memory_, nullptr, nullptr) {
    base::Random random(7);
    random.fill(reinterpret_cast<std::int8_t*>(memory_.data()), memory_.size(), -20, 20);
    job_.start_conv = 1;
    job_.groups = kGroups;
    job_.windows = kWindows;
    job_.columns = kWindows;
    job_.fill_columns = job_.fill_line_step = kWindows;
    job_.tile_rows = 1;
    job_.row_pitch = kGroups * kWindows * channels_;
    job_.plane_pitch = kWindows * channels_;
    job_.scale = 1;
    job_.shift = kShift;
    job_.bias_select = 1;
    receive(&Command::receive_bias, kBias);
  }

  // Runs on the input of part `input` and the weights of part `weights`.
  void run(int input, int weights, bool first, bool last) {
    receive(&Command::receive_input, input * kPart);
    run_again(weights, first, last);
  }
  // Runs on the input that is already there.
  void run_again(int weights, bool first, bool last, bool hidden = false) {
    receive(&Command::receive_weights, weights * kPart + kWeights);
    Command job = job_;
    job.hidden_input = hidden;
    job.input_select = job.weight_select = 1;
    job.add_bias = first;
    job.accumulate = !first;
    job.last_round = last;
    job.output_base = kOutput;
    write(job);
  }
  void receive(int Command::*receiver, int address) {
    Command levels;  // half 1: the one that is read later
    levels.*receiver = 1;
    write(levels);
    values_.write_dma(contract::dma_map::kMm2sSa, static_cast<std::uint32_t>(address));
    values_.write_dma(contract::dma_map::kMm2sLength, kWeights);
  }
  void make_positive(int input) {
    for (int i = 0; i < kWeights; ++i) {
      std::uint8_t& byte = memory_[static_cast<std::size_t>(input * kPart + i)];
      byte = static_cast<std::uint8_t>(std::abs(static_cast<std::int8_t>(byte)));
    }
  }
  void widen_strides() { job_.stride = 2; }

  // Computes the output by definition for inputs and weights in pairs; the last round's windows lie `stride` apart.
  std::vector<int> expected(const std::vector<std::pair<int, int>>& rounds, int stride = 1) const {
    std::vector<int> pixels;
    const int set = config_.array.cols * column_bytes();
    for (int group = 0; group < kGroups; ++group)
      for (int x = 0; x < kWindows; ++x)
        for (int o = 0; o < channels_; ++o) {
          std::int32_t sum;
          std::memcpy(&sum, memory_.data() + kBias + 4 * (group * channels_ + o), 4);
          for (const auto& [input, weights] : rounds)
            for (int i = 0; i < channels_; ++i)
              sum += byte(input * kPart + (&input == &rounds.back().first ? stride : 1) * x * channels_ + i) *
                     byte(weights * kPart + kWeights + group * set + (config_.array.cols - 1) * column_bytes() +
                          (o * config_.array.rows + config_.array.rows - 1) * channels_ + i);
          pixels.push_back(std::clamp((sum + (1 << (kShift - 1))) >> kShift, -128, 127));
        }
    return pixels;
  }
  std::vector<int> found() const {
    std::vector<int> pixels;
    for (int i = 0; i < kGroups * kWindows * channels_; ++i) pixels.push_back(byte(kOutput + i));
    return pixels;
  }
  void set_bias(int value) {
    for (int i = 0; i < kGroups * channels_; ++i) std::memcpy(memory_.data() + kBias + 4 * i, &(value += 37), 4);
  }

  static constexpr int kRounds = 40;

 private:
  static constexpr int kPart = 4096, kWeights = 1024, kBias = 0, kOutput = kRounds * kPart - 512;
  int byte(int at) const { return static_cast<std::int8_t>(memory_[static_cast<std::size_t>(at)]); }
  int column_bytes() const { return config_.array.weight_column_bytes(); }
  void write(const Command& command) {
    const stream::RegisterImage image = encode(command);
    values_.write_core(stream::register_offset(2), image.reg2);
    for (int word = 0; word < stream::RegisterImage::kGeometryWords; ++word)
      values_.write_core(stream::register_offset(3),
                         stream::geometry_value(word, image.geometry[static_cast<std::size_t>(word)]));
    values_.write_core(stream::register_offset(4), image.reg4);
    values_.write_core(stream::register_offset(5), image.reg5);
    values_.write_core(stream::register_offset(6), image.reg6);
    values_.write_core(stream::register_offset(1), image.reg1);
  }

  const stream::Config config_;
  const int channels_;
  contract::MemoryImage memory_;
  stream::StreamValues values_;
  Command job_;
};

}  // namespace

TEST_CASE("rounds of any number add up whether taken together or not") {
  for (const int count : {1, 2, 8, 9, 16, 17, 30}) {
    CAPTURE(count);
    Rig rig;
    rig.set_bias(100);
    std::vector<std::pair<int, int>> rounds;
    for (int round = 1; round <= count; ++round) {
      rig.run(round, round, round == 1, round == count);
      rounds.emplace_back(round, round);
    }
    CHECK(rig.found() == rig.expected(rounds));
  }
}

TEST_CASE("an input that stays is multiplied again by other weights and in another round") {
  Rig rig;
  rig.set_bias(-500);
  rig.run(3, 3, true, false);
  rig.run_again(4, false, true);
  CHECK(rig.found() == rig.expected({{3, 3}, {3, 4}}));
  rig.run_again(5, true, true);
  CHECK(rig.found() == rig.expected({{3, 5}}));
  rig.run(6, 5, true, true);
  CHECK(rig.found() == rig.expected({{6, 5}}));
}

TEST_CASE("inputs without negative values add up with others and stay what they are behind the hidden state") {
  Rig rig;
  rig.set_bias(-100);
  rig.make_positive(2);
  rig.run(1, 1, true, false);
  rig.run(2, 2, false, true);
  CHECK(rig.found() == rig.expected({{1, 1}, {2, 2}}));
  rig.run(2, 3, true, true);
  CHECK(rig.found() == rig.expected({{2, 3}}));
  rig.run_again(4, true, true, true);
  rig.run_again(5, true, true);
  CHECK(rig.found() == rig.expected({{2, 5}}));
}

TEST_CASE("sums that are begun anew and rounds behind jobs of another shape take nothing from those before") {
  Rig rig;
  rig.set_bias(0);
  rig.run(1, 1, true, false);  // never finished
  rig.run(2, 2, true, false);
  rig.run(3, 3, false, true);
  CHECK(rig.found() == rig.expected({{2, 2}, {3, 3}}));
  rig.run(4, 4, true, false);
  rig.widen_strides();  // windows that add to the same sums
  rig.run(5, 5, false, true);
  CHECK(rig.found() == rig.expected({{4, 4}, {5, 5}}, 2));
}

TEST_CASE("the bias is the first round's whatever is received behind it") {
  Rig rig;
  rig.set_bias(1000);
  const std::vector<int> expected = rig.expected({{1, 1}, {2, 2}});
  rig.run(1, 1, true, false);
  rig.receive(&Command::receive_bias, 12 * 4096);
  rig.run(2, 2, false, true);
  CHECK(rig.found() == expected);
}

}  // namespace fansim::stream_values_test
