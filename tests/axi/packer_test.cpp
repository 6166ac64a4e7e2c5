// SPDX-License-Identifier: Apache-2.0
#include "axi/packer.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>

#include "support/stream_bench.h"

namespace fansim::packer_test {

namespace {

struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, int data_bits, int stall = 0, std::uint64_t seed = 1)
      : sc_module(name),
        source("source", {}, stall, seed),
        packer("packer", axi(data_bits)),
        sink("sink", stall, seed) {
    source.out(words);
    packer.in(words);
    packer.m_axis(beats);
    sink.in(beats);
  }
  static contract::AxiConfig axi(int data_bits) {
    contract::AxiConfig config;
    config.data_bits = data_bits;
    return config;
  }
  void packet(int words_in_packet, int word_bytes, base::Random& random) {
    for (int i = 0; i < words_in_packet; ++i) {
      axi::Word word;
      word.bytes = word_bytes > 0 ? word_bytes : random.uniform(1, 16);
      word.last = i + 1 == words_in_packet;
      for (auto& byte : word.data) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
      sent.insert(sent.end(), word.data.begin(), word.data.begin() + word.bytes);
      source.add(word);
    }
    ends.push_back(sent.size());
  }
  bool complete() const {
    std::size_t packets = 0;
    for (const auto& beat : sink.items()) packets += beat.last;
    return packets == ends.size();
  }
  sim::Stream<axi::Word> words{"words"};
  sim::Stream<axi::StreamBeat> beats{"beats"};
  test::Source<axi::Word> source;
  axi::Packer packer;
  test::Sink<axi::StreamBeat> sink;
  std::vector<std::uint8_t> sent;
  std::vector<std::size_t> ends;
};

}  // namespace

TEST_CASE("the packer's beats carry the words' bytes without gaps under any stalls") {
  test::Bench bench;
  std::vector<std::unique_ptr<Rig>> rigs;
  for (int bits : {64, 128})
    for (int stall : {0, 30, 70})
      for (int word : {0, 1, 3, 8, 12, 16}) {
        rigs.push_back(std::make_unique<Rig>(fmt::format("r{}_{}_{}", bits, stall, word).c_str(), bits, stall));
        base::Random random(2);
        for (int i = 0; i < 30; ++i) rigs.back()->packet(random.uniform(1, 40), word, random);
      }
  REQUIRE(bench.run_until([&] {
    for (const auto& rig : rigs)
      if (!rig->complete()) return false;
    return true;
  }));
  for (const auto& rig : rigs) {
    INFO(rig->name());
    std::vector<std::uint8_t> received;
    std::vector<std::size_t> ends;
    for (const auto& beat : rig->sink.items()) {
      received.insert(received.end(), beat.data.begin(), beat.data.begin() + beat.bytes);
      if (beat.last) ends.push_back(received.size());
      REQUIRE((beat.last || beat.bytes == (rig->name()[1] == '6' ? 8 : 16)));
    }
    REQUIRE(received == rig->sent);
    REQUIRE(ends == rig->ends);
    CHECK(test::counter(rig->packer, "beats") == static_cast<std::int64_t>(rig->sink.count()));
    CHECK(test::counter(rig->packer, "words") == static_cast<std::int64_t>(rig->source.edges().size()));
  }
}

TEST_CASE("the packer takes a word per cycle and sends a complete beat one cycle later") {
  test::Bench bench;
  Rig rig("rig", 128);
  base::Random random(1);
  rig.packet(100, 8, random);
  rig.packet(101, 8, random);
  REQUIRE(bench.run_until([&] { return rig.complete(); }, 1000));
  // Word i (from 0) is pushed at i + 1 and popped at i + 2; its beat is pushed at i + 3 and popped at i + 4.
  for (std::size_t i = 0; i < 201; ++i) REQUIRE(rig.source.edges()[i] == static_cast<sim::Edge>(i) + 1);
  for (std::size_t i = 0; i < 100; ++i) REQUIRE(rig.sink.edges()[i] == static_cast<sim::Edge>(2 * i) + 5);
  REQUIRE(rig.sink.edges()[100] == 204);
  CHECK(rig.sink.items()[49].last);
  CHECK(rig.sink.items()[100].last);
  CHECK(rig.sink.items()[100].bytes == 8);
}

TEST_CASE("a last word that spills into a further beat costs one cycle") {
  test::Bench bench;
  Rig rig("rig", 128);
  base::Random random(1);
  rig.packet(3, 12, random);  // 36 bytes: beats of 16, 16 and 4
  rig.packet(1, 12, random);
  REQUIRE(bench.run_until([&] { return rig.complete(); }, 100));
  CHECK(rig.sink.edges() == std::vector<sim::Edge>{5, 6, 7, 8});
  CHECK(rig.sink.items()[2].bytes == 4);
}

}  // namespace fansim::packer_test
