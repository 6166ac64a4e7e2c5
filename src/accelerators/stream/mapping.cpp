// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/mapping.h"

#include <array>

#include "accelerators/stream/config/line_fill.h"
#include "accelerators/stream/config/tile.h"
#include "contract/dma_map.h"

namespace fansim::stream {
namespace {

using contract::add_bytes;

// Follows the registers that the host writes. It assigns transfers to the receiver that was armed for them, and jobs to
// their start.
class Mapper : public contract::HostFollower {
 public:
  Mapper(const Config& config, contract::Mapping& mapping)
      : array_(config.array), buffers_(config.buffers), mapping_(mapping) {
    for (const char* name : {"inputs", "weights", "biases"}) mapping_.operand(name);
    mapping_.operand("outputs", true);
  }

  void software(std::uint32_t, bool) {}
  void write_core(std::uint32_t address, std::uint32_t value) {
    if (address == kTableOffset) return;
    command_.write(address, value);
    if (address != register_offset(1)) return;
    const Command& command = *command_;
    if (command.receive_input) receiver_ = {"inputs", &input_, half(1 - command.input_select)};
    if (command.receive_weights)
      receiver_ = {"weights", command.receive_resident ? &resident_ : &weight_,
                   command.receive_resident ? 0 : half(1 - command.weight_select)};
    if (command.receive_bias) receiver_ = {"biases", &bias_, half(1 - command.bias_select)};
    if (command.start_conv || command.start_recurrent) add(command);
  }
  void write_dma(std::uint32_t address, std::uint32_t value) {
    if (address != contract::dma_map::kMm2sLength) return;
    mapping_.operand(receiver_.operand).ddr += value;
    receive(*receiver_.buffer, receiver_.half, value);
  }
  void poll_mm2s() {}
  void wait_job() {}
  void wait_output() {}

 private:
  // Holds what the halves of a buffer have received last.
  struct Buffer {
    const char* name;
    std::int64_t capacity;
    std::array<std::int64_t, 2> held{};
  };
  static std::size_t half(int select) { return static_cast<std::size_t>(select); }
  void receive(Buffer& buffer, std::size_t into, std::int64_t bytes) {
    buffer.held[into] = bytes;
    mapping_.holds(buffer.name, "B", buffer.held[0] + buffer.held[1], buffer.capacity);
  }

  void add(const Command& job) {
    ++mapping_.tiles;
    mapping_.passes += job.passes();
    add_tile(job);
    const std::int64_t windows = job.passes() * (job.hidden_input ? 1 : job.windows);
    contract::OperandTraffic& inputs = mapping_.operand(job.hidden_input ? "hidden state" : "inputs");
    add_bytes(inputs.buffers, filled_words(job) * array_.word_bytes());
    add_bytes(inputs.array, windows * array_.window_values() * array_.value_bytes());
    contract::OperandTraffic& weights = mapping_.operand("weights");
    add_bytes(weights.buffers, job.passes() * array_.weight_set_bytes());
    add_bytes(weights.array, windows * array_.weight_set_bytes());
    if (!job.send_output) return;
    const TileShape shape = shape_of(job, array_.word_bytes(), array_.pixel_bytes());
    const std::int64_t bytes = std::int64_t{shape.rows} * shape.planes * shape.bytes;
    contract::OperandTraffic& outputs = mapping_.operand("outputs", true);
    outputs.ddr += bytes;
    add_bytes(outputs.buffers, bytes);
    receive(output_, half(job.output_select), bytes);
  }

  // Returns the words that go into the line buffers.
  std::int64_t filled_words(const Command& job) const {
    std::int64_t lines = 0;
    for (int block = 0; block < job.blocks; ++block)
      for (int row = 0; row < job.rows; ++row) lines += LineFill(job, block, row, array_.rows).lines;
    return lines * (job.start_recurrent ? job.steps : 1) * job.fill_columns * job.fill_pieces;
  }

  void add_tile(const Command& job) {
    const bool whole = job.matrix || job.hidden_input;
    mapping_.add_tile(
        {{"rows", std::int64_t{job.rows} * job.parallel},
         {"columns", job.windows},
         {"input_channels", whole ? std::int64_t{job.blocks} * array_.window_values() : array_.input_channels},
         {"output_channels", std::int64_t{job.groups} * array_.output_channels}});
  }

  const ArrayConfig& array_;
  const BufferConfig& buffers_;
  contract::Mapping& mapping_;
  WrittenCommand command_;
  Buffer input_{"input", 2 * std::int64_t{buffers_.input_half_bytes()}};
  Buffer weight_{"weight", 2 * std::int64_t{buffers_.weight_half_bytes()}};
  Buffer resident_{"resident", buffers_.resident_bytes()};
  Buffer bias_{"bias", 2 * std::int64_t{buffers_.bias_half_bytes()}};
  Buffer output_{"output", 2 * std::int64_t{buffers_.output_half_bytes()}};
  struct {
    const char* operand;
    Buffer* buffer;
    std::size_t half;
  } receiver_{"inputs", &input_, 0};
};

}  // namespace

contract::Mapping mapping_of(const Config& config, const contract::Program& program,
                             const contract::LayerSteps& steps) {
  contract::Mapping mapping;
  Mapper mapper(config, mapping);
  contract::follow(program, steps, mapper, nullptr);
  return mapping;
}

}  // namespace fansim::stream
