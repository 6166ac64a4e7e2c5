// SPDX-License-Identifier: Apache-2.0
#include "compile/layer_walk.h"

#include <fmt/format.h>

#include <stdexcept>

#include "compile/text.h"

namespace fansim::compile {

using network::Layer;
using network::LayerType;

Compiled LayerWalk::run() {
  for (std::size_t i = 0; i < network_.layers.size(); ++i)
    if ((network_.layers[i].vision != nullptr) != takes_pipelines())
      return unschedulable({takes_pipelines() ? "the accelerator runs pipelines of images, not networks"
                                              : "the accelerator runs networks, not pipelines of images"},
                           static_cast<int>(i));
  for (std::size_t i = 0; i < network_.layers.size(); ++i)
    if (network_.layers[i].type == LayerType::softmax && !takes_softmax())
      return unschedulable({"the accelerator has no softmax; the layer before it is the last that it can run"},
                           static_cast<int>(i));
  if (const auto refused = refusal()) return unschedulable(*refused, Layer::kInput);
  for (std::size_t index = 0; index < network_.layers.size(); ++index)
    if (const auto refused = refusal_of(network_.layers[index]))
      return unschedulable(*refused, static_cast<int>(index));
  if (auto failed = place_tensors()) return *failed;
  contract::Program program;
  for (const int index : fusion_.chosen) {
    contract::LayerPlan plan;
    plan.name = at(index).name;
    plan.type = at(index).kind();
    plan.layer = index;
    plan.macs = at(index).macs();
    plan.fused_into = fusion_.fused_into(index);
    const std::int64_t before = memory_.reserved();
    if (const auto failed = compile(index, static_cast<int>(program.layers.size()), plan))
      return unschedulable(*failed, index);
    given_bytes_ += memory_.reserved() - before;
    program.layers.push_back(std::move(plan));
  }
  if (memory_.size() > memory_capacity(ddr_))
    return unschedulable(
        {fmt::format("DDR: the network needs {} B of {}", grouped(memory_.size()), grouped(memory_capacity(ddr_)))},
        Layer::kInput);
  program.ops = take_steps();
  program.given_bytes = given_bytes_;
  if (options_.values) program.fill_input = fill_input_;
  if (options_.memory) program.memory = memory_.image(options_.values);
  return program;
}

Unschedulable LayerWalk::unschedulable(const Misfit& misfit, int index) const {
  if (index < 0) return {"", {}, misfit.reason};
  return {at(index).name, at(index).where, misfit.reason};
}

// Every tensor that a chosen layer reads or writes.
std::optional<Unschedulable> LayerWalk::place_tensors() {
  for (const int index : fusion_.chosen) {
    const Layer& layer = at(index);
    if (auto failed = place_once(fusion_.root(layer.source), index)) return failed;
    if (layer.reads_two())
      if (auto failed = place_once(fusion_.root(layer.with), index)) return failed;
    if (layer.type == LayerType::flatten || fusion_.fused_into(index) >= 0) continue;
    if (auto failed = place_once(index, index)) return failed;
  }
  return std::nullopt;
}

std::optional<Unschedulable> LayerWalk::place_once(int producer, int reader) {
  if (fusion_.fused_into(producer) >= 0 || !placed_.insert(producer).second) return std::nullopt;
  const bool computed = fusion_.is_chosen(producer);
  const std::int64_t before = memory_.reserved();
  if (const auto failed = place(producer, computed || !options_.values ? nullptr : supplied(producer)))
    return unschedulable(*failed, producer < 0 ? reader : producer);
  if (!computed) given_bytes_ += memory_.reserved() - before;
  if (producer == Layer::kInput) fill_input_ = memory_.last();
  return std::nullopt;
}

// A tensor from outside the program; a flattened one has the same bytes.
const network::Tensor* LayerWalk::supplied(int producer) const {
  if (producer == Layer::kInput) return &network_.input;
  for (const auto& [index, tensor] : options_.tensors)
    if (fusion_.root(index) == producer) return &tensor;
  throw std::logic_error("compile: no tensor for skipped layer " + at(producer).name);
}

}  // namespace fansim::compile
