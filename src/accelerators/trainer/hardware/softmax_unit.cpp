// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/hardware/softmax_unit.h"

namespace fansim::trainer {

std::int64_t SoftmaxUnit::begin() {
  passes_ = softmax_passes(config_, phase_.job->command == Command::train);
  words_.assign(static_cast<std::size_t>(layer().in_words()), 0);
  pass_ = 0;
  pass_from_ = 0;
  sum_ = 0;
  std::int64_t edges = 0;
  for (const SoftmaxTiming& pass : passes_) edges += pass.edges(layer().in_words());
  return edges;
}

void SoftmaxUnit::work(std::int64_t at) {
  if (const Result* result = left(at))
    passes_[pass_].pass == SoftmaxPass::gradient
        ? chip_.gradients.write(now(), tensor(0) + result->at, cut(0, result->at) ? 0 : result->word)
        : chip_.activations.write(now(), tensor(1) + result->at, result->word);
  const SoftmaxTiming& pass = passes_[pass_];
  const std::int64_t slot = at - pass_from_ - 1;
  if (slot % pass.pace == 0 && slot / pass.pace < layer().in_words())
    element(pass.pass, static_cast<std::size_t>(slot / pass.pace), at);
  if (slot + 1 < pass.edges(layer().in_words())) return;
  pass_from_ = at;
  ++pass_;
}

void SoftmaxUnit::element(SoftmaxPass pass, std::size_t i, std::int64_t at) {
  const arith::FloatArithmetic& unit = functions_.arithmetic();
  const auto index = static_cast<std::int64_t>(i);
  std::uint64_t& word = words_[i];
  switch (pass) {
    case SoftmaxPass::largest:
      word = operand(unit, chip_.activations.read(now(), tensor(0) + index), value(0));
      if (i == 0 || unit.to_double(largest_) < unit.to_double(word)) largest_ = word;
      return;
    case SoftmaxPass::exponential:
      word = functions_.exponential(unit.subtract(word, largest_, events_), events_);
      return;
    case SoftmaxPass::sum:
      sum_ = unit.add(sum_, word, events_);
      return;
    case SoftmaxPass::quotient:
      word = functions_.divide(word, sum_, events_);
      return leave(at + passes_[pass_].latency, index, word);
    case SoftmaxPass::gradient:
      return leave(at + passes_[pass_].latency, index,
                   i == phase_.job->label ? unit.subtract(word, functions_.one(), events_) : word);
  }
}

}  // namespace fansim::trainer
