// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/output_writer.h"

#include <array>

#include "base/units.h"
#include "contract/dma_map.h"
#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;
constexpr int kHalfBytes = 8192;
constexpr contract::BufferPorts kPorts{kHalfBytes, 16};  // filled at once, read by the word

std::uint64_t bits(int value) { return static_cast<std::uint64_t>(value); }

// Runs the writer with the DMA's registers behind it. The lane plays the output store in front of it, and S2MM.
template <class Model>
class OutputWriterLane final : public Lane<Model> {
 public:
  OutputWriterLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        array_(array_of(p)),
        tiles((name + "_tiles").c_str()),
        dma((name + "_dma").c_str()),
        dma_response((name + "_response").c_str()),
        words((name + "_words").c_str()),
        host_((name + "_host").c_str()),
        host_response_((name + "_host_response").c_str()),
        mm2s_command_((name + "_mm2s").c_str()),
        s2mm_command_((name + "_s2mm").c_str()),
        mm2s_done_((name + "_mm2s_done").c_str()),
        s2mm_done_((name + "_s2mm_done").c_str()),
        mirror_(this->random),
        buffer_((name + "_buffer").c_str(), memory::PingPong::Role::send, kPorts, kHalfBytes),
        registers_((name + "_registers").c_str(), contract::DmaConfig()),
        writer_(name.c_str(), array_, buffer_, registers_) {
    writer_.tiles(tiles);
    writer_.dma(dma);
    writer_.dma_response(dma_response);
    writer_.words(words);
    registers_.pl(dma);
    registers_.pl_response(dma_response);
    registers_.host(host_);
    registers_.host_response(host_response_);
    registers_.mm2s_command(mm2s_command_);
    registers_.s2mm_command(s2mm_command_);
    registers_.mm2s_done(mm2s_done_);
    registers_.s2mm_done(s2mm_done_);
    wire_streams();
    this->reads(
        "buffer", mirror_, 2,
        [this](Model& m) -> std::optional<Read> {
          if (!m.buffer_advance) return {};
          const int split = array_.output_channels / array_.input_channels, bits = base::ceil_log2(split);
          const int address = static_cast<int>(m.buffer_address), word = address & ((1 << bits) - 1);
          return Read{m.buffer_half, ((address >> bits) * split + word) * array_.input_channels};
        },
        [this](Model& m, const std::uint8_t* word) {
          for (int i = 0; i < array_.input_channels; ++i) put_bits(m.buffer_data, 8 * i, 8, word[i]);
        });
  }

 private:
  static stream::ArrayConfig array_of(const Parameters& p) {
    stream::ArrayConfig array;
    array.input_channels = p["INPUT_CHANNELS"];
    array.output_channels = p["OUTPUT_CHANNELS"];
    return array;
  }

  void wire_streams() {
    this->input(
        COSIM_INPUT(tiles),
        [](Model& m, const stream::Tile& tile, const auto& field) {
          const stream::Command& job = tile.job;
          field("half", 0, m.tiles_half, 0, 1, bits(tile.half));
          field("end_of_layer", 0, m.tiles_end_of_layer, 0, 1, bits(job.end_of_layer));
          field("groups", 0, m.tiles_groups, 0, 16, bits(job.groups));
          field("columns", 0, m.tiles_columns, 0, 14, bits(job.output_columns));
          field("rows", 0, m.tiles_rows, 0, 14, bits(job.tile_rows));
          field("row_pitch", 0, m.tiles_row_pitch, 0, 28, bits(job.row_pitch));
          field("plane_pitch", 0, m.tiles_plane_pitch, 0, 28, bits(job.plane_pitch));
          field("base", 0, m.tiles_base, 0, 32, job.output_base);
        },
        left_, [this](stream::Tile& tile) { tile = next_; });
    this->watched_output(COSIM_OUTPUT(dma), [](Model& m, const axi::LiteRequest& item, const auto& field) {
      field("write", 0, m.dma_write, 0, 1, item.write);
      field("address", 0, m.dma_address, 0, 32, item.address);
      field("value", 0, m.dma_value, 0, 32, item.value);
    });
    this->watched_input(COSIM_INPUT(dma_response), [](Model&, const axi::LiteResponse&, const auto&) {});
    this->output(COSIM_OUTPUT(words), [this](Model& m, const axi::Word& word, const auto& field) {
      for (int i = 0; i < array_.input_channels; ++i)
        field("data", i, m.words_data, 8 * i, 8, word.data[static_cast<std::size_t>(i)]);
      field("last", 0, m.words_last, 0, 1, word.last);
    });
  }

  void next_phase() override { tiles_left_ = this->random.uniform(1, 6); }

  void before_edge() override {
    for (int half : {0, 1}) writable_[static_cast<std::size_t>(half)] = buffer_.writable(half);
    layers_ = writer_.layers_done();
    introut_ = registers_.s2mm_introut();
    if (!running_ && host_.can_push()) {
      host_.push(
          {true, contract::dma_map::kS2mmDmacr, contract::dma_map::kCrRunStop | contract::dma_map::kCrIocIrqEnable});
      running_ = true;
    }
    if (host_response_.can_pop()) host_response_.pop();
    if (tiles_left_ > 0 && left_ == 0 && buffer_.writable(next_.half ^ 1)) fill_tile();
    move_s2mm();
  }

  // Takes a transfer's words and answers some time after the last.
  void move_s2mm() {
    if (s2mm_command_.can_pop()) {
      transfer_end_ += s2mm_command_.pop().bytes / bits(array_.input_channels);
      busy_ = true;
    }
    if (!busy_ || words.pops() < static_cast<std::int64_t>(transfer_end_)) return;
    if (!s2mm_done_.can_push() || !this->random.chance(20)) return;
    s2mm_done_.push(axi::TransferDone{});
    busy_ = false;
  }

  void fill_tile() {
    base::Random& r = this->random;
    const int lanes = array_.input_channels, split = array_.output_channels / lanes;
    next_.half ^= 1;
    stream::Command& job = next_.job;
    job.groups = r.uniform(1, 3);
    job.output_columns = r.uniform(1, 8);
    job.tile_rows = r.uniform(1, 4);
    job.end_of_layer = r.chance(30);
    const int plane = job.output_columns * lanes, planes = job.groups * split;
    job.plane_pitch = r.chance(60) ? plane : plane + r.uniform(0, 100);
    job.row_pitch = r.chance(60) ? plane * planes : r.uniform(0, 5000);
    job.output_base = static_cast<std::uint32_t>(r.next());
    // SystemC's buffer holds plane after plane, the twin's the planes of a group side by side.
    int word = 0;
    for (int row = 0; row < job.tile_rows; ++row)
      for (int p = 0; p < planes; ++p)
        for (int x = 0; x < job.output_columns; ++x, ++word) {
          const int twin_word = ((row * job.groups + p / split) * job.output_columns + x) * split + p % split;
          buffer_.write(next_.half, word * lanes, mirror_.at({next_.half, twin_word * lanes}), lanes);
        }
    buffer_.complete(next_.half);
    --tiles_left_;
    left_ = 1;
  }

  void drive_levels(Model& m) override { m.introut = introut_; }

  void compare_at_edge(Model& m, const Compare& field) override {
    const bool freed = (!writable_[0] && buffer_.writable(0)) || (!writable_[1] && buffer_.writable(1));
    field("buffer_free", 0, m.buffer_free, 0, 1, freed);
  }
  void compare_after_edge(Model& m, const Compare& field) override {
    field("layer_done", 0, m.layer_done, 0, 1, writer_.layers_done() > layers_);
  }

  const stream::ArrayConfig array_;
  sim::Stream<stream::Tile> tiles;
  sim::Stream<axi::LiteRequest> dma;
  sim::Stream<axi::LiteResponse> dma_response;
  sim::Stream<axi::Word> words;
  sim::Stream<axi::LiteRequest> host_;
  sim::Stream<axi::LiteResponse> host_response_;
  sim::Stream<axi::TransferCommand> mm2s_command_, s2mm_command_;
  sim::Stream<axi::TransferDone> mm2s_done_, s2mm_done_;
  Memory mirror_;
  memory::PingPong buffer_;
  axi::DmaRegisters registers_;
  stream::OutputWriter writer_;
  stream::Tile next_;
  std::array<bool, 2> writable_{};
  std::uint64_t transfer_end_ = 0;  // words sent when the transfer that runs is over
  int tiles_left_ = 0, left_ = 0;
  bool running_ = false, busy_ = false, introut_ = false;
  std::int64_t layers_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<OutputWriterLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
