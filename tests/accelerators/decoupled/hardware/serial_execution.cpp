// SPDX-License-Identifier: Apache-2.0
// This is written from docs/decoupled.md and command.h alone. It has a memory, and vectors as lists of values, but no
// beats and no lanes.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "accelerators/decoupled/hardware/command_program.h"
#include "arith/requantise.h"

namespace fansim::test {
namespace {

using namespace decoupled;

// Holds one value: an integer, or a float of single precision.
using Value = double;

class Machine {
 public:
  Machine(const CommandProgram& program) : c(program.config), memory(program.memory) {}

  void run(const DecoupledLayer& layer, const Command& command) {
    l = &layer;
    k = &command;
    switch (command.action) {
      case Action::load_inputs:
        return load_inputs();
      case Action::load_weights:
        return load_run(weights, std::size_t(command.weights * c.array.tm * c.array.tn * c.data.bytes()));
      case Action::load_parameters:
        return load_run(parameters, std::size_t(command.parameters * 8));
      case Action::load_sums:
      case Action::store_sums:
        return move_sums();
      case Action::multiply:
      case Action::pool:
        return compute();
      case Action::store:
        return store();
      case Action::post:
        return;
    }
  }

  const Config& c;
  std::vector<std::uint8_t> memory;

 private:
  bool floats() const { return c.data.type == DataType::float32; }
  static int vector(const Tile& t, int p, int r, int column) {
    return t.first + p * t.plane + (t.row + r) % t.ring * t.columns + column;
  }
  std::size_t address(int plane, std::size_t row, std::size_t in_row) const {
    const auto& rows = k->planes.rows;
    return rows.address + std::size_t(plane) * k->planes.plane_pitch + row * rows.pitch + in_row;
  }

  static std::int64_t integer(const std::uint8_t* at, int bytes) {
    std::int64_t value = at[bytes - 1] >= 128 ? -1 : 0;
    for (int i = bytes; i-- > 0;) value = value * 256 + at[i];
    return value;
  }
  Value number(const std::uint8_t* at, int bytes) const {
    if (floats()) {
      float value;
      std::memcpy(&value, at, 4);
      return value;
    }
    return Value(integer(at, bytes));
  }
  void put(Value value, std::uint8_t* at, int bytes) const {
    if (floats()) {
      const auto single = static_cast<float>(value);
      std::memcpy(at, &single, 4);
      return;
    }
    auto integer = static_cast<std::int64_t>(value);
    for (int i = 0; i < bytes; ++i, integer >>= 8) at[i] = static_cast<std::uint8_t>(integer);
  }
  // Wraps a value modulo 2^accumulator_bits.
  Value wrapped(Value value) const {
    if (floats()) return value;
    const Value span = std::ldexp(1.0, c.quantiser.accumulator_bits);
    return value - span * std::floor(value / span + 0.5);
  }

  void load_inputs() {
    const Tile& t = k->inputs;
    const Border& b = k->border;
    const int each = c.array.batch * c.block(), bytes = c.data.bytes();
    for (int p = 0; p < k->planes.planes; ++p)
      for (int r = 0; r < t.rows; ++r)
        for (int column = 0; column < t.columns; ++column) {
          const bool inside = r >= b.top && r < t.rows - b.bottom && column >= b.left && column < t.columns - b.right;
          std::vector<Value>& values = inputs[vector(t, p, r, column)];
          values.assign(std::size_t(each), l->zero_point);
          for (int i = 0; inside && i < each; ++i)
            values[std::size_t(i)] =
                number(&memory[address(p, std::size_t(r - b.top), std::size_t(((column - b.left) * each + i) * bytes))],
                       bytes);
        }
  }
  void load_run(std::vector<std::uint8_t>& buffer, std::size_t at) {
    const auto& rows = k->planes.rows;
    for (int p = 0; p < k->planes.planes; ++p)
      for (std::size_t r = 0; r < rows.rows; ++r)
        for (std::size_t i = 0; i < rows.row_bytes; ++i, ++at) {
          if (buffer.size() <= at) buffer.resize(at + 1);
          buffer[at] = memory[address(p, r, i)];
        }
  }
  void move_sums() {
    const int each = c.array.batch * c.array.tm, bytes = c.sum_bytes();
    for (int p = 0; p < k->planes.planes; ++p)
      for (int r = 0; r < k->sums.rows; ++r)
        for (int i = 0; i < k->sums.columns * each; ++i) {
          std::uint8_t* at = &memory[address(p, std::size_t(r), std::size_t(i * bytes))];
          Value& value = sum(p, r, i / each, i % each);
          k->action == Action::load_sums ? void(value = number(at, bytes)) : put(value, at, bytes);
        }
  }
  Value& sum(int p, int r, int column, int i) {
    std::vector<Value>& values = sums[vector(k->sums, p, r, column)];
    values.resize(std::size_t(c.array.batch * c.array.tm));
    return values[std::size_t(i)];
  }
  Value input(int channel, int row, int column, int picture) {
    const int plane = channel / c.block();
    if (plane >= k->inputs.planes) return 0;
    const std::vector<Value>& values = inputs[vector(k->inputs, plane, row, column)];
    if (values.empty()) return 0;
    const Value value = values[std::size_t(picture * c.block() + channel % c.block())];
    const Value half = std::ldexp(1, c.data.bits() - 1);
    return l->in_unsigned && value < 0 ? value + 2 * half : !l->in_unsigned && value >= half ? value - 2 * half : value;
  }

  void compute() {
    for (int block = 0; block < k->output_blocks; ++block)
      for (int r = 0; r < k->sums.rows; ++r)
        for (int column = 0; column < k->sums.columns; ++column)
          for (int i = 0; i < c.array.batch * c.array.tm; ++i) {
            Value& value = sum(block, r, column, i);
            const int m = i % c.array.tm, picture = i / c.array.tm;
            value = k->action == Action::pool ? pooled(value, block * c.array.tm + m, r, column, picture)
                                              : multiplied(k->fresh ? 0 : value, block, m, r, column, picture);
          }
  }
  Value pooled(Value largest, int channel, int r, int column, int picture) {
    if (channel / c.block() >= k->inputs.planes) return k->fresh ? 0 : largest;
    bool any = !k->fresh;
    for (int i = 0; i < k->kernel * k->kernel; ++i) {
      const Value value = input(channel, r * k->stride + i / k->kernel, column * k->stride + i % k->kernel, picture);
      largest = any ? std::max(largest, value) : value;
      any = true;
    }
    return largest;
  }
  Value multiplied(Value value, int block, int m, int r, int column, int picture) {
    const int tn = c.array.tn, tm = c.array.tm, taps = k->kernel * k->kernel, bytes = c.data.bytes();
    for (int n = 0; n < k->input_blocks; ++n)
      for (int tap = 0; tap < taps; ++tap) {
        const int number_of = n * taps + tap;
        if (k->taps > 0 && (number_of < k->first_tap || number_of >= k->first_tap + k->taps)) continue;
        std::vector<Value> products;
        for (int j = 0; j < tn; ++j) {
          const std::size_t at =
              std::size_t(((((k->weights + (block * k->input_blocks + n) * taps + tap) * tm + m) * tn) + j) * bytes);
          const Value weight = at + std::size_t(bytes) <= weights.size() ? number(&weights[at], bytes) : 0;
          products.push_back(
              single(input(n * tn + j, r * k->stride + tap / k->kernel, column * k->stride + tap % k->kernel, picture) *
                     weight));
        }
        while (products.size() > 1) {
          std::vector<Value> pairs;
          for (std::size_t j = 0; j < products.size(); j += 2)
            pairs.push_back(j + 1 < products.size() ? single(products[j] + products[j + 1]) : products[j]);
          products = pairs;
        }
        value = single(value + products.front());
      }
    return wrapped(value);
  }
  Value single(Value value) const { return floats() ? Value(static_cast<float>(value)) : value; }

  void store() {
    const int each = c.array.batch * c.block(), bytes = c.data.bytes(), tm = c.array.tm;
    for (int p = 0; p < k->planes.planes; ++p)
      for (int r = 0; r < k->sums.rows; ++r)
        for (int i = 0; i < k->sums.columns * each; ++i) {
          const int channel = p * c.block() + i % c.block(), picture = i / c.block() % c.array.batch;
          Value value = 0;
          if (channel < k->channels)
            value = stored(sum(channel / tm, r, i / each, picture * tm + channel % tm), k->parameters + channel);
          put(value, &memory[address(p, std::size_t(r), std::size_t(i * bytes))], bytes);
        }
  }
  Value stored(Value value, int record) const {
    const std::size_t at = std::size_t(record) * 8;
    ChannelParameters channel{0, 0, 0};
    if (!l->parameters.empty()) {
      channel = l->parameters[std::size_t(record)];
    } else if (l->weighs && at + 8 <= parameters.size()) {
      const std::uint8_t* record_bytes = &parameters[at];
      channel = {integer(record_bytes, 4) % (std::int64_t{1} << 32), int(integer(record_bytes + 4, 2)),
                 record_bytes[6]};
      if (channel.bias < 0) channel.bias += std::int64_t{1} << 32;
      channel.bias += integer(record_bytes + 7, 1) * (std::int64_t{1} << 32);
    }
    if (floats()) {
      const auto bits = static_cast<std::uint32_t>(channel.bias);
      float bias;
      std::memcpy(&bias, &bits, 4);
      if (l->weighs) value = single(value + bias);
      if (l->relu) value = std::max(value, 0.0);
      return l->code_table.empty() || value >= 0 ? value
                                                 : single(value * Value{0.1F});  // random_program.cpp's function
    }
    if (l->weighs) {
      arith::Requantise q = l->out;
      q.scale = channel.scale;
      q.shift = channel.shift;
      value = arith::requantise(static_cast<std::int64_t>(value) + channel.bias, q, c.quantiser);
    }
    if (l->relu) value = std::max(value, Value(l->out.zero_point));
    if (l->code_table.empty()) return value;
    return l->code_table[std::size_t(value + (l->out.is_unsigned ? 0 : std::ldexp(1, l->out.bits - 1)))];
  }

  const DecoupledLayer* l = nullptr;
  const Command* k = nullptr;
  std::map<int, std::vector<Value>> inputs, sums;  // by vector
  std::vector<std::uint8_t> weights, parameters;
};

}  // namespace

std::vector<std::uint8_t> run_serially(const CommandProgram& program) {
  Machine machine(program);
  for (const auto& layer : program.layers)
    for (const Job& job : layer->jobs)
      for (const Command& command : job.commands) machine.run(*layer, command);
  return machine.memory;
}

}  // namespace fansim::test
