// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/output_writer.h"

#include <algorithm>
#include <map>

#include "contract/dma_map.h"
#include "support/blocks.h"

namespace fansim::output_writer_test {

using memory::PingPong;
using stream::OutputWriter;

namespace {

constexpr std::uint64_t kSeed = 41;
constexpr int kHalf = 8192;
constexpr contract::BufferPorts kPorts{kHalf, 16};  // filled at once, read by the word
constexpr sim::Edge kEnabled = 10;                  // the host has set the channel running by then

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Draws tiles whose planes and rows are contiguous in DDR or not, also recurrent ones.
std::vector<stream::Command> random_jobs(const stream::ArrayConfig& config, int n, base::Random& random) {
  std::vector<stream::Command> jobs(at(n));
  std::uint32_t base = 0;
  for (stream::Command& job : jobs) {
    job.recurrent_output = random.chance(25);
    const int groups = random.uniform(1, 3);
    job.groups = job.recurrent_output ? 4 * groups : groups;
    job.tile_rows = random.uniform(1, 4);
    job.output_columns = random.uniform(1, 8);
    const int planes = groups * config.output_channels / config.input_channels;
    const int plane = job.output_columns * config.input_channels;
    job.plane_pitch = plane + (random.chance(50) ? 0 : config.input_channels * random.uniform(1, 4));
    job.row_pitch = planes * job.plane_pitch + (random.chance(50) ? 0 : config.input_channels * random.uniform(1, 4));
    job.output_base = base;
    base += static_cast<std::uint32_t>(job.tile_rows * job.row_pitch + 64);
    job.end_of_layer = random.chance(30);
  }
  return jobs;
}

struct Tiles {
  Tiles(const stream::ArrayConfig& array, std::vector<stream::Command> all, base::Random& random)
      : config(array), jobs(std::move(all)) {
    for (const stream::Command& job : jobs) {
      const int groups = job.recurrent_output ? job.groups / 4 : job.groups;
      const int planes = groups * config.output_channels / config.input_channels;
      const int plane = job.output_columns * config.input_channels;
      bytes.emplace_back();
      for (int row = 0; row < job.tile_rows; ++row)
        for (int p = 0; p < planes; ++p)
          for (int i = 0; i < plane; ++i) {
            bytes.back().push_back(static_cast<std::uint8_t>(random.uniform(0, 255)));
            ddr[job.output_base + static_cast<std::uint32_t>(row * job.row_pitch + p * job.plane_pitch + i)] =
                bytes.back().back();
          }
      const bool planes_join = planes == 1 || job.plane_pitch == plane;
      const bool rows_join = planes_join && (job.tile_rows == 1 || job.row_pitch == planes * plane);
      transfers += rows_join ? 1 : planes_join ? job.tile_rows : job.tile_rows * planes;
      layers += job.end_of_layer;
    }
  }
  stream::ArrayConfig config;
  std::vector<stream::Command> jobs;
  std::vector<std::vector<std::uint8_t>> bytes;  // of each tile, as they lie in its half
  std::map<std::uint32_t, std::uint8_t> ddr;
  int transfers = 0, layers = 0;
};

// Fills the halves in turn as the output store does, and reports the tiles.
class Filler final : public sim::Module {
 public:
  sim::StreamOut<stream::Tile> out{"out"};
  Filler(const sc_core::sc_module_name& name, const Tiles& tiles, PingPong& buffer)
      : Module(name), tiles_(tiles), buffer_(buffer) {}

 private:
  void step() override {
    const int half = static_cast<int>(next_) & 1;
    if (now() < kEnabled || next_ == tiles_.jobs.size() || !out.can_push() || !buffer_.writable(half)) return;
    const auto& bytes = tiles_.bytes[next_];
    buffer_.write(half, 0, bytes.data(), static_cast<int>(bytes.size()));
    buffer_.complete(half);
    out.push(stream::Tile{half, tiles_.jobs[next_++]});
  }
  const Tiles& tiles_;
  PingPong& buffer_;
  std::size_t next_ = 0;
};

// Models the S2MM channel and DDR: it writes a packet to the address of its command, then reports that it is done.
class Receiver final : public sim::Module {
 public:
  sim::StreamIn<axi::TransferCommand> command{"command"};
  sim::StreamIn<axi::Word> words{"words"};
  sim::StreamOut<axi::TransferDone> done{"done"};
  Receiver(const sc_core::sc_module_name& name, int stall_percent)
      : Module(name), stall_percent_(stall_percent), random_(kSeed, this->name()) {}

  std::map<std::uint32_t, std::uint8_t> ddr;
  std::vector<sim::Edge> word_edges;
  int transfers = 0, wrong_lengths = 0;

 private:
  void step() override {
    if (delay_ > 0 && --delay_ == 0) {
      done.push(axi::TransferDone{});
      active_ = false;
    }
    if (!active_ && command.can_pop()) {
      now_ = command.pop();
      active_ = true;
      received_ = 0;
      ++transfers;
    }
    if (!active_ || delay_ > 0 || !words.can_pop() || random_.chance(stall_percent_)) return;
    const axi::Word& word = words.pop();
    word_edges.push_back(now());
    for (int i = 0; i < word.bytes; ++i) ddr[static_cast<std::uint32_t>(now_.address) + received_++] = word.data[at(i)];
    if (!word.last) return;
    wrong_lengths += received_ != now_.bytes;
    delay_ = 1 + random_.uniform(0, 9);
  }
  axi::TransferCommand now_;
  bool active_ = false;
  std::uint32_t received_ = 0;
  int delay_ = 0;
  int stall_percent_;
  base::Random random_;
};

struct Rig {
  Rig(const std::string& n, const Tiles& t, int stall_percent)
      : all(t),
        tiles((n + "_tiles").c_str()),
        lite((n + "_lite").c_str()),
        answer((n + "_answer").c_str()),
        host((n + "_host").c_str()),
        host_answer((n + "_host_answer").c_str()),
        words((n + "_words").c_str()),
        mm2s((n + "_mm2s").c_str()),
        s2mm((n + "_s2mm").c_str()),
        mm2s_done((n + "_mm2s_done").c_str()),
        s2mm_done((n + "_s2mm_done").c_str()),
        buffer((n + "_buffer").c_str(), PingPong::Role::send, kPorts, kHalf),
        dma((n + "_dma").c_str(), contract::DmaConfig{}),
        writer((n + "_writer").c_str(), t.config, buffer, dma),
        filler((n + "_filler").c_str(), t, buffer),
        receiver((n + "_receiver").c_str(), stall_percent),
        host_source((n + "_host_source").c_str(),
                    {{true, contract::dma_map::kS2mmDmacr,
                      contract::dma_map::kCrRunStop | contract::dma_map::kCrIocIrqEnable}}) {
    host_source.out(host);
    filler.out(tiles);
    writer.tiles(tiles);
    writer.dma(lite);
    dma.pl(lite);
    dma.pl_response(answer);
    writer.dma_response(answer);
    dma.host(host);
    dma.host_response(host_answer);
    dma.mm2s_command(mm2s);
    dma.mm2s_done(mm2s_done);
    dma.s2mm_command(s2mm);
    receiver.command(s2mm);
    receiver.done(s2mm_done);
    dma.s2mm_done(s2mm_done);
    writer.words(words);
    receiver.words(words);
  }
  bool done() const {
    return receiver.transfers == all.transfers && !writer.busy() && tiles.occupancy() == 0 &&
           writer.layers_done() == all.layers && buffer.writable(0) && buffer.writable(1);
  }
  const Tiles& all;
  sim::Stream<stream::Tile> tiles;
  sim::Stream<axi::LiteRequest> lite;
  sim::Stream<axi::LiteResponse> answer;
  sim::Stream<axi::LiteRequest> host;
  sim::Stream<axi::LiteResponse> host_answer;
  sim::Stream<axi::Word> words;
  sim::Stream<axi::TransferCommand> mm2s, s2mm;
  sim::Stream<axi::TransferDone> mm2s_done, s2mm_done;
  PingPong buffer;
  axi::DmaRegisters dma;
  OutputWriter writer;
  Filler filler;
  Receiver receiver;
  test::Source<axi::LiteRequest> host_source;
};

stream::Command contiguous(int columns) {
  stream::Command job;
  job.output_columns = columns;
  job.plane_pitch = 8 * columns;
  job.end_of_layer = 1;
  return job;
}

}  // namespace

TEST_CASE("tiles arrive in DDR at their pitches with contiguous ones in one transfer under random stalls") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  std::vector<std::unique_ptr<Tiles>> tiles;
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const stream::ArrayConfig& config :
       {test::array_of(3, 3, 8, 8), test::array_of(5, 5, 4, 8), test::array_of(1, 1, 8, 16)})
    for (int stall : {0, 30, 70}) {
      tiles.push_back(std::make_unique<Tiles>(config, random_jobs(config, 25, random), random));
      rigs.push_back(std::make_unique<Rig>(fmt::format("rig{}", rigs.size()), *tiles.back(), stall));
    }
  REQUIRE(
      bench.run_until([&] { return std::all_of(rigs.begin(), rigs.end(), [](auto& rig) { return rig->done(); }); }));
  for (auto& rig : rigs) {
    REQUIRE(rig->receiver.ddr == rig->all.ddr);
    REQUIRE(rig->receiver.wrong_lengths == 0);
    REQUIRE(test::count(rig->writer, "transfers") == rig->all.transfers);
    REQUIRE(test::count(rig->writer, "bytes") == static_cast<std::int64_t>(rig->all.ddr.size()));
    // The host makes one access, and three for every transfer: address, length, and the clearing of the interrupt.
    REQUIRE(test::count(rig->dma, "accesses") == 1 + 3 * rig->all.transfers);
  }
}

TEST_CASE("a word takes the latency of a block RAM to the packer and then one follows per cycle") {
  base::Random random(kSeed);
  test::Bench bench;
  const Tiles tiles(test::array_of(3, 3, 8, 8), {contiguous(150)}, random);
  Rig rig("rig", tiles, 0);
  sim::Edge first_read = 0, first_push = 0;
  bench.at_each_edge([&](sim::Edge now) {
    if (!first_read && test::count(rig.buffer, "reads") > 0) first_read = now - 1;
    if (!first_push && rig.words.pushes() > 0) first_push = now - 1;
  });
  REQUIRE(bench.run_until([&] { return rig.done(); }));
  CHECK(first_push - first_read == OutputWriter::kReadLatency);
  CHECK(OutputWriter::kReadLatency == 2);
  REQUIRE(rig.receiver.word_edges.size() == 150);
  CHECK(test::back_to_back(rig.receiver.word_edges));
  CHECK(test::count(rig.writer, "stalls") == 0);
}

TEST_CASE("a transfer's cycles are its words and its stalls and the RAM's latency") {
  base::Random random(kSeed);
  test::Bench bench;
  const Tiles tiles(test::array_of(3, 3, 8, 8), {contiguous(200)}, random);
  Rig rig("rig", tiles, 60);
  sim::Edge first_read = 0, last_push = 0;
  std::int64_t pushes = 0;
  bench.at_each_edge([&](sim::Edge now) {
    if (!first_read && test::count(rig.buffer, "reads") > 0) first_read = now - 1;
    if (rig.words.pushes() > pushes) {
      pushes = rig.words.pushes();
      last_push = now - 1;
    }
  });
  REQUIRE(bench.run_until([&] { return rig.done(); }));
  const std::int64_t stalls = test::count(rig.writer, "stalls");
  CHECK(stalls > 0);
  CHECK(last_push - first_read + 1 == 200 + stalls + OutputWriter::kReadLatency);
}

TEST_CASE("the half is free and the layer done only when the last word is in DDR") {
  base::Random random(kSeed);
  test::Bench bench;
  const Tiles tiles(test::array_of(3, 3, 8, 8), {contiguous(10)}, random);
  Rig rig("rig", tiles, 0);
  int early = 0;
  sim::Edge interrupt = 0, layer = 0;
  bench.at_each_edge([&](sim::Edge now) {
    if (now > kEnabled + 1 && rig.s2mm_done.pops() == 0)
      early += rig.buffer.writable(0) || rig.writer.layers_done() > 0;
    if (!interrupt && rig.dma.s2mm_introut()) interrupt = now;
    if (!layer && rig.writer.layers_done() == 1) layer = now;
  });
  REQUIRE(bench.run_until([&] { return rig.done(); }));
  CHECK(early == 0);
  // The interrupt is seen at its edge, cleared at the next, and the effect is visible one edge later.
  CHECK(layer == interrupt + 2);
  CHECK_FALSE(rig.dma.s2mm_introut());
}

}  // namespace fansim::output_writer_test
