// SPDX-License-Identifier: Apache-2.0
#include "inject/verdict.h"

#include <algorithm>

#include "base/interrupt.h"
#include "runs/layer_output.h"
#include "runs/memory_difference.h"
#include "timing/engine_options.h"

namespace fansim::inject {
namespace {

// Returns the first of the largest values.
std::size_t top(const network::Tensor& output) {
  const bool floats = output.format.type == base::DataType::float32;
  const auto value = [&](std::size_t i) { return floats ? static_cast<double>(output.real(i)) : output.at(i); };
  std::size_t top = 0;
  for (std::size_t i = 1; i < output.size(); ++i)
    if (value(i) > value(top)) top = i;
  return top;
}

}  // namespace

Verdict::Verdict(const Subject& subject)
    : subject_(subject),
      observer_(subject.observer([this](int layer, const network::Tensor& output) { compare(layer, output); })) {
  result_.values = static_cast<std::int64_t>(subject.last_output().size());
}

bool Verdict::layer_done(const contract::LayerPlan& plan, const std::uint8_t* memory) {
  observer_->layer_done(plan, memory);
  return runs::memory_hash(memory, subject_.program().memory.size()) != subject_.endings()[layers_++].memory;
}

void Verdict::compare(int layer, const network::Tensor& output) {
  if (runs::hash_of(output) == subject_.output_hash(layer)) return;
  if (result_.first_wrong.empty())
    result_.first_wrong = subject_.network().layers[static_cast<std::size_t>(layer)].name;
  const network::Tensor& right = subject_.last_output();
  if (layer != subject_.program().layers.back().layer) return;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const std::size_t bytes = right.bytes.size() / right.size();
    if (!std::equal(right.bytes.begin() + static_cast<std::ptrdiff_t>(i * bytes),
                    right.bytes.begin() + static_cast<std::ptrdiff_t>((i + 1) * bytes),
                    output.bytes.begin() + static_cast<std::ptrdiff_t>(i * bytes)))
      ++result_.wrong_values;
  }
  result_.top1_changed = top(output) != top(right);
}

void Verdict::compute_rest(const std::uint8_t* memory) {
  if (layers_ == subject_.layers().size()) return;
  timing::EngineOptions options;
  options.timing = false;
  options.stop_requested = base::interrupted;
  options.on_layer = [this](const contract::LayerPlan& plan, const std::uint8_t* ddr, contract::LayerResult&) {
    observer_->layer_done(plan, ddr);
    ++layers_;
  };
  subject_.accelerator().run(subject_.from(layers_, {memory, memory + subject_.program().memory.size()}), options);
}

Result Verdict::result(const contract::FaultLog& log) const {
  Result result = result_;
  const auto by_driver = [](const contract::FaultEvent& event) {
    return event.source == contract::FaultEvent::Source::driver;
  };
  result.seen = std::any_of(log.events.begin(), log.events.end(), by_driver);
  result.note = log.gave_up;
  result.outcome = !log.gave_up.empty()      ? Outcome::reported
                   : result.wrong_values > 0 ? Outcome::wrong
                   : result.seen             ? Outcome::recovered
                                             : Outcome::masked;
  return result;
}

}  // namespace fansim::inject
