// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/hardware/pooling_unit.h"

namespace fansim::trainer {
namespace {

// Compares two words; a word consists of sign and magnitude.
bool less(std::uint64_t a, std::uint64_t b, const arith::FloatFormat& format) {
  const bool negative = (a & format.sign_mask()) != 0;
  if (negative != ((b & format.sign_mask()) != 0)) return negative;
  return negative ? a > b : a < b;
}

}  // namespace

std::int64_t PoolingUnit::begin() {
  const std::int64_t window = std::int64_t{layer().kernel} * layer().kernel;
  slots_ = phase_.phase.kind == PhaseKind::pool ? layer().out_words() * window : layer().in_words();
  return slots_ + kPoolLatency;
}

void PoolingUnit::work(std::int64_t at) {
  const bool forward = phase_.phase.kind == PhaseKind::pool;
  if (const Result* result = left(at))
    forward ? chip_.activations.write(now(), tensor(1) + result->at, result->word)
            : chip_.gradients.write(now(), tensor(0) + result->at, result->word);
  if (at > slots_) return;
  forward ? compare(at) : send_back(at);
}

void PoolingUnit::compare(std::int64_t at) {
  const std::int64_t k = layer().kernel, window = k * k, out = (at - 1) / window, tap = (at - 1) % window;
  const std::int64_t plane = std::int64_t{layer().out_height} * layer().out_width;
  const std::int64_t channel = out / plane, row = out % plane / layer().out_width, column = out % layer().out_width;
  const std::int64_t from = (channel * layer().in_height + row * k + tap / k) * layer().in_width + column * k + tap % k;
  const std::uint64_t word =
      operand(arithmetic(config_.pooling.format), chip_.activations.read(now(), tensor(0) + from), value(0));
  if (tap == 0 || less(best_, word, config_.pooling.format)) {
    best_ = word;
    choice_ = tap;
  }
  if (tap + 1 < window) return;
  chip_.choices.write(now(), tensor(1) + out, static_cast<std::uint32_t>(choice_));
  leave(at + kPoolLatency, out, best_);
}

void PoolingUnit::send_back(std::int64_t at) {
  const std::int64_t k = layer().kernel, in = at - 1;
  const std::int64_t plane = std::int64_t{layer().in_height} * layer().in_width;
  const std::int64_t channel = in / plane, row = in % plane / layer().in_width, column = in % layer().in_width;
  std::uint64_t word = 0;
  if (row / k < layer().out_height && column / k < layer().out_width) {
    const std::int64_t out = (channel * layer().out_height + row / k) * layer().out_width + column / k;
    const bool chosen = chip_.choices.read(now(), tensor(1) + out) == row % k * k + column % k;
    const std::uint32_t gradient_word = chip_.gradients.read(now(), tensor(1) + out);
    const bool zero = layer_below_cuts() && chip_.activations.read(now(), tensor(1) + out) == 0;
    if (chosen && !zero) word = arithmetic(config_.pooling.format).convert(gradient_word, gradient(1), events_);
  }
  leave(at + kPoolLatency, in, word);
}

}  // namespace fansim::trainer
