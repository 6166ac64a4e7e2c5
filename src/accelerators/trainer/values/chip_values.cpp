// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/values/chip_values.h"

#include <algorithm>
#include <cstring>

#include "accelerators/trainer/config/transfers.h"

namespace fansim::trainer {
namespace {

int key(const arith::FloatFormat& format) { return format.exponent_bits << 8 | format.mantissa_bits; }

bool same(const LayerEntry& a, const LayerEntry& b) {
  return a.kind == b.kind && a.relu == b.relu && a.kernel == b.kernel && a.stride == b.stride && a.top == b.top &&
         a.left == b.left && a.in_channels == b.in_channels && a.in_height == b.in_height && a.in_width == b.in_width &&
         a.out_channels == b.out_channels && a.out_height == b.out_height && a.out_width == b.out_width;
}

bool same_network(const Job& a, const Job& b) {
  if (a.layers != b.layers) return false;
  for (std::size_t i = 0; i < a.layers; ++i)
    if (!same(a.layer(i), b.layer(i))) return false;
  return true;
}

std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

// Returns where each tap of each window lies in its input. The windows' positions of one tap are adjacent.
std::vector<std::int64_t> windows_of(const LayerEntry& layer) {
  const Products products{PhaseKind::forward, layer};
  const std::int64_t positions = std::int64_t{layer.out_height} * layer.out_width;
  std::vector<std::int64_t> from(size(layer.taps() * positions));
  for (std::int64_t tap = 0; tap < layer.taps(); ++tap)
    for (std::int64_t position = 0; position < positions; ++position)
      from[size(tap * positions + position)] = products.factors(position * layer.out_channels, tap).a;
  return from;
}

}  // namespace

ChipValues::ChipValues(const Config& config) : config_(config), softmax_(config), pixels_(256), pixel_events_(256) {}

const kernels::FloatMac& ChipValues::mac(const arith::FloatFormat& operand, const arith::FloatFormat& sum) {
  const auto at = std::make_pair(key(operand), key(sum));
  const auto found = macs_.find(at);
  if (found != macs_.end()) return found->second;
  return macs_.emplace(at, kernels::FloatMac(operand, sum, config_.arithmetic.rounding)).first->second;
}

void ChipValues::run(const Job& job, std::uint8_t* memory) {
  if (!prepared_ || !same_network(job, job_)) prepare(job);
  job_ = job;
  for (const Phase& phase : phases_of(job)) {
    switch (phase.kind) {
      case PhaseKind::load:
        load(memory);
        break;
      case PhaseKind::forward:
        forward(phase.layer);
        break;
      case PhaseKind::input_gradient:
        input_gradient(phase.layer);
        break;
      case PhaseKind::weight_gradient:
        weight_gradient(phase.layer);
        break;
      case PhaseKind::pool:
        pool(phase.layer);
        break;
      case PhaseKind::unpool:
        unpool(phase.layer);
        break;
      case PhaseKind::softmax:
        softmax(phase.layer);
        break;
      case PhaseKind::update:
        update(phase.layer);
        break;
      case PhaseKind::store:
        store(memory);
        break;
    }
  }
}

void ChipValues::prepare(const Job& job) {
  job_ = job;
  prepared_ = true;
  const std::size_t layers = job.layers;
  values_.assign(layers + 1, {});
  gradients_.assign(layers + 1, {});
  weights_.assign(layers, {});
  deltas_.assign(layers, {});
  choices_.assign(layers, {});
  windows_.assign(layers, {});
  values_[0].assign(size(layer(0).in_words()), 0);
  for (std::size_t i = 0; i < layers; ++i) {
    values_[i + 1].assign(size(layer(i).out_words()), 0);
    weights_[i].assign(size(layer(i).weights()), 0);
    choices_[i].assign(size(layer(i).out_words()), 0);
    if (layer(i).kind == LayerKind::convolution) windows_[i] = windows_of(layer(i));
  }
  const arith::FloatArithmetic unit(value_format(config_, job, 0), config_.arithmetic.rounding);
  for (std::size_t code = 0; code < pixels_.size(); ++code) {
    pixel_events_[code] = {};
    pixels_[code] = unit.to_double(unit.from_double(static_cast<double>(code) * kPixelUnit, pixel_events_[code]));
  }
}

void ChipValues::load(std::uint8_t* memory) {
  const std::uint8_t* bytes = memory + job_.source;
  if (job_.command != Command::load_weights) {
    for (std::size_t i = 0; i < values_[0].size(); ++i) {
      values_[0][i] = pixels_[bytes[i]];
      events_ += pixel_events_[bytes[i]];
    }
    return;
  }
  for (std::size_t i = 0; i < job_.layers; ++i) {
    if (!layer(i).has_weights()) continue;
    const arith::FloatArithmetic unit(block(i).weights, config_.arithmetic.rounding);
    for (double& weight : weights_[i]) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes, sizeof word);
      bytes += sizeof word;
      weight = unit.to_double(unit.convert(word, arith::kSingle, events_));
    }
  }
}

void ChipValues::store(std::uint8_t* memory) const {
  std::uint8_t* bytes = memory + job_.destination;
  const arith::FloatArithmetic single(arith::kSingle);
  arith::FloatEvents none;
  const auto put = [&](const Numbers& numbers) {
    for (const double number : numbers) {
      const auto word = static_cast<std::uint32_t>(single.from_double(number, none));
      std::memcpy(bytes, &word, sizeof word);
      bytes += sizeof word;
    }
  };
  if (job_.command == Command::store_weights)
    for (const Numbers& weights : weights_) put(weights);
  else
    put(values_[job_.layers]);
  // Zeros fill the last beat.
  const std::size_t whole = store_transfer(job_, config_.axi).row_bytes;
  std::fill(bytes, memory + job_.destination + whole, std::uint8_t{0});
}

// Multiplies by one, which rounds the numbers to the format.
void ChipValues::convert(Numbers& numbers, const arith::FloatFormat& to, arith::FloatEvents& events) {
  sums_.assign(numbers.size(), 0);
  mac(to, to).accumulate(sums_.data(), numbers.data(), 1, numbers.size(), events);
  numbers.swap(sums_);
}

const ChipValues::Numbers& ChipValues::read(const Numbers& numbers, const arith::FloatFormat& from,
                                            const arith::FloatFormat& to, Numbers& room) {
  if (from == to) return numbers;
  arith::FloatEvents none;
  room = numbers;
  convert(room, to, none);
  return room;
}

void ChipValues::write(Numbers& numbers, const arith::FloatFormat& from, const arith::FloatFormat& to) {
  if (!(from == to)) convert(numbers, to, events_);
}

void ChipValues::forward(std::size_t i) {
  const LayerEntry& l = layer(i);
  const WeightedConfig& b = block(i);
  const Numbers& in = read(values_[i], value_format(config_, job_, i), b.forward, room_a_);
  const Numbers& weights = read(weights_[i], b.weights, b.forward, room_b_);
  Numbers& out = values_[i + 1];
  std::fill(out.begin(), out.end(), 0);
  const kernels::FloatMac& unit = mac(b.forward, b.sum);
  const std::size_t taps = size(l.taps()), filters = size(l.out_channels), positions = out.size() / filters;
  if (l.kind == LayerKind::convolution) {
    columns_.resize(taps * positions);
    for (std::size_t j = 0; j < columns_.size(); ++j) columns_[j] = windows_[i][j] < 0 ? 0 : in[size(windows_[i][j])];
    for (std::size_t f = 0; f < filters; ++f)
      for (std::size_t tap = 0; tap < taps; ++tap)
        unit.accumulate(&out[f * positions], &columns_[tap * positions], weights[f * taps + tap], positions, events_);
  } else {
    transposed_.resize(weights.size());
    for (std::size_t f = 0; f < filters; ++f)
      for (std::size_t tap = 0; tap < taps; ++tap) transposed_[tap * filters + f] = weights[f * taps + tap];
    unit.dot_products(out.data(), filters, in.data(), transposed_.data(), taps, events_);
  }
  write(out, b.sum, b.forward);
  if (l.relu)
    for (double& value : out) value = value < 0 ? 0 : value;
}

// Sets gradients to zero where ReLU cut their values.
void ChipValues::cut(std::size_t tensor, Numbers& gradients) const {
  if (tensor == 0 || !layer(tensor - 1).relu) return;
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (values_[tensor][i] == 0) gradients[i] = 0;
}

void ChipValues::input_gradient(std::size_t i) {
  const LayerEntry& l = layer(i);
  const WeightedConfig& b = block(i);
  const Numbers& back = read(gradients_[i + 1], gradient_format(config_, job_, i + 1), b.backward, room_a_);
  const Numbers& weights = read(weights_[i], b.weights, b.backward, room_b_);
  Numbers& out = gradients_[i];
  out.assign(size(l.in_words()), 0);
  const kernels::FloatMac& unit = mac(b.backward, b.sum);
  const std::size_t taps = size(l.taps()), filters = size(l.out_channels), positions = back.size() / filters;
  if (l.kind == LayerKind::fully_connected) {
    for (std::size_t f = 0; f < filters; ++f) unit.accumulate(out.data(), &weights[f * taps], back[f], taps, events_);
  } else {
    // Lists every input's terms in the order of filters and taps. A term without an output is zero.
    const std::size_t window = size(std::int64_t{l.kernel} * l.kernel);
    for (std::size_t f = 0; f < filters; ++f)
      for (std::size_t tap = 0; tap < window; ++tap)
        for (std::size_t c = 0; c < size(l.in_channels); ++c) {
          const std::size_t row = c * window + tap;
          for (std::size_t p = 0; p < positions; ++p) {
            const std::int64_t to = windows_[i][row * positions + p];
            if (to >= 0) unit.accumulate(&out[size(to)], &back[f * positions + p], weights[f * taps + row], 1, events_);
          }
        }
  }
  write(out, b.sum, b.backward);
  cut(i, out);
}

void ChipValues::weight_gradient(std::size_t i) {
  const LayerEntry& l = layer(i);
  const WeightedConfig& b = block(i);
  const Numbers& in = read(values_[i], value_format(config_, job_, i), b.backward, room_a_);
  const Numbers& back = read(gradients_[i + 1], gradient_format(config_, job_, i + 1), b.backward, room_b_);
  Numbers& out = deltas_[i];
  out.assign(size(l.weights()), 0);
  const kernels::FloatMac& unit = mac(b.backward, b.sum);
  const std::size_t taps = size(l.taps()), filters = size(l.out_channels), positions = back.size() / filters;
  if (l.kind == LayerKind::fully_connected) {
    for (std::size_t f = 0; f < filters; ++f) unit.accumulate(&out[f * taps], in.data(), back[f], taps, events_);
  } else {
    rows_.resize(taps * positions);
    for (std::size_t tap = 0; tap < taps; ++tap)
      for (std::size_t p = 0; p < positions; ++p) {
        const std::int64_t from = windows_[i][tap * positions + p];
        rows_[p * taps + tap] = from < 0 ? 0 : in[size(from)];
      }
    for (std::size_t f = 0; f < filters; ++f)
      for (std::size_t p = 0; p < positions; ++p)
        unit.accumulate(&out[f * taps], &rows_[p * taps], back[f * positions + p], taps, events_);
  }
  write(out, b.sum, b.backward);
}

void ChipValues::pool(std::size_t i) {
  const LayerEntry& l = layer(i);
  const Numbers& in = read(values_[i], value_format(config_, job_, i), config_.pooling.format, room_a_);
  std::size_t out = 0;
  for (int c = 0; c < l.out_channels; ++c)
    for (int row = 0; row < l.out_height; ++row)
      for (int column = 0; column < l.out_width; ++column, ++out) {
        for (int tap = 0; tap < l.kernel * l.kernel; ++tap) {
          const std::int64_t at = (std::int64_t{c} * l.in_height + row * l.kernel + tap / l.kernel) * l.in_width +
                                  column * l.kernel + tap % l.kernel;
          if (tap == 0 || values_[i + 1][out] < in[size(at)]) {
            values_[i + 1][out] = in[size(at)];
            choices_[i][out] = tap;
          }
        }
      }
}

void ChipValues::unpool(std::size_t i) {
  const LayerEntry& l = layer(i);
  gradients_[i].assign(size(l.in_words()), 0);
  Numbers& out = gradients_[i];
  room_a_ = gradients_[i + 1];
  if (i > 0 && layer(i - 1).relu)
    for (std::size_t j = 0; j < room_a_.size(); ++j)
      if (values_[i + 1][j] == 0) room_a_[j] = 0;
  write(room_a_, gradient_format(config_, job_, i + 1), config_.pooling.format);
  std::size_t from = 0;
  for (int c = 0; c < l.out_channels; ++c)
    for (int row = 0; row < l.out_height; ++row)
      for (int column = 0; column < l.out_width; ++column, ++from) {
        const int tap = choices_[i][from];
        const std::int64_t at = (std::int64_t{c} * l.in_height + row * l.kernel + tap / l.kernel) * l.in_width +
                                column * l.kernel + tap % l.kernel;
        out[size(at)] = room_a_[from];
      }
}

void ChipValues::softmax(std::size_t i) {
  const arith::FloatArithmetic& unit = softmax_.arithmetic();
  const Numbers& in = read(values_[i], value_format(config_, job_, i), config_.softmax.format, room_a_);
  const double largest = *std::max_element(in.begin(), in.end());
  arith::FloatEvents none;
  const std::uint64_t most = unit.from_double(largest, none);
  std::vector<std::uint64_t> words(in.size());
  for (std::size_t j = 0; j < in.size(); ++j)
    words[j] = softmax_.exponential(unit.subtract(unit.from_double(in[j], none), most, events_), events_);
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words) sum = unit.add(sum, word, events_);
  for (std::size_t j = 0; j < in.size(); ++j) {
    words[j] = softmax_.divide(words[j], sum, events_);
    values_[i + 1][j] = unit.to_double(words[j]);
  }
  if (job_.command != Command::train) return;
  gradients_[i] = values_[i + 1];
  if (job_.label < words.size())
    gradients_[i][job_.label] = unit.to_double(unit.subtract(words[job_.label], softmax_.one(), events_));
  cut(i, gradients_[i]);
}

void ChipValues::update(std::size_t i) {
  const WeightedConfig& b = block(i);
  const arith::FloatArithmetic unit(b.weights, config_.arithmetic.rounding);
  arith::FloatEvents none;
  const double rate = unit.to_double(unit.convert(job_.learning_rate, arith::kSingle, none));
  const Numbers& deltas = read(deltas_[i], b.backward, b.weights, room_a_);
  mac(b.weights, b.weights).accumulate(weights_[i].data(), deltas.data(), -rate, weights_[i].size(), events_);
}

}  // namespace fansim::trainer
