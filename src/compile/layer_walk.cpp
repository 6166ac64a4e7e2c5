// SPDX-License-Identifier: Apache-2.0
#include "compile/layer_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/units.h"
#include "compile/text.h"
#include "network/reference/reference.h"

namespace fansim::compile {

using network::Layer;
using network::LayerType;

namespace {

// A layer that the reference executor computes, and where its tensors lie. It owns what it needs, because the network
// may be gone.
struct HostWork {
  struct Operand {
    HostTensor place;
    network::Shape shape;
    network::NumberFormat format;

    network::Tensor read(const std::uint8_t* memory) const {
      network::Tensor tensor{shape, format, {}};
      tensor.set_words(place.stored->values(memory));
      return tensor;
    }
  };
  Layer layer;
  arith::QuantiserFormat quantiser;
  Operand in, with;
  std::function<void(std::uint8_t* memory, const network::Tensor& values)> write;

  void operator()(std::uint8_t* memory) const {
    const network::Tensor first = in.read(memory);
    if (!with.place.stored) {
      write(memory, network::run_reference(layer, quantiser, first).out);
      return;
    }
    const network::Tensor second = with.read(memory);
    write(memory, network::run_reference(layer, quantiser, first, &second).out);
  }
};

}  // namespace

Compiled LayerWalk::run() {
  for (std::size_t i = 0; i < network_.layers.size(); ++i)
    if ((network_.layers[i].vision() != nullptr) != takes_pipelines())
      return unschedulable({takes_pipelines() ? "the accelerator runs pipelines of images, not networks"
                                              : "the accelerator runs networks, not pipelines of images"},
                           static_cast<int>(i));
  for (std::size_t i = 0; i < network_.layers.size(); ++i)
    if (const int index = static_cast<int>(i); (!software() || options_.strict) && on_host(index))
      return unschedulable({fmt::format("the accelerator has no {}{}", network_.layers[i].kind(),
                                        software() ? "; without --strict its host computes it" : "")},
                           index);
  // Chosen or not: a layer behind it needs its output.
  for (std::size_t i = 0; i < network_.layers.size(); ++i)
    if (const int index = static_cast<int>(i);
        at(index).type() == LayerType::softmax && at(index).in_step == 0 && on_host(index))
      return unschedulable({"softmax needs to know what it reads stands for: a 'step'"}, index);
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
    plan.macs = at(index).macs() * pictures();
    plan.fused_into = fusion_.fused_into(index);
    plan.made_of = made_of(index);
    const std::int64_t before = memory_.reserved();
    const std::size_t objects = memory_.objects();
    const int number = static_cast<int>(program.layers.size());
    if (const auto failed = on_host(index) ? leave_to_host(index, number, plan) : compile(index, number, plan))
      return unschedulable(*failed, index);
    given_bytes_ += memory_.reserved() - before;
    if (options_.parameters_later && options_.values) plan.parameters = memory_.take_fills(objects);
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

const arith::QuantiserFormat& LayerWalk::quantiser() const { throw std::logic_error("compile: no quantiser"); }

bool LayerWalk::on_host(int index) const {
  const Layer& layer = at(index);
  if (fusion_.is_joined(index)) return false;
  return (layer.type() == LayerType::function && !has_hardware_for(index)) ||
         (layer.type() == LayerType::softmax && !takes_softmax()) || lacks(index);
}

// Each value that a window or function reads, and each that is written, costs the same number of cycles.
std::optional<Misfit> LayerWalk::leave_to_host(int index, int number, contract::LayerPlan& plan) {
  const Layer& layer = at(index);
  const std::int64_t window = layer.pools()      ? layer.out.elements() * layer.window().area()
                              : layer.function() ? network::values_read(*layer.function(), layer.in)
                                                 : layer.in.elements();
  const std::int64_t values =
      (window + (layer.reads_two() ? network_.shape(layer.with).elements() : 0) + layer.out.elements()) * pictures();
  const contract::ComputingHostConfig& host = *software();
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::int64_t cycles = host.cycles_per_value.times(values);
  if (cycles > kMost - host.layer_setup)
    return Misfit{fmt::format("{} values take the host more than 2^31 cycles", grouped(values))};
  plan.on_host = true;
  plan.type = "host";
  host_layer(number, static_cast<std::uint32_t>(host.layer_setup + cycles));
  const HostTensor to = host_tensor(index), from = host_tensor(fusion_.root(layer.source));
  plan.output = to.stored;
  if (!options_.values) return std::nullopt;
  HostWork work;
  work.layer = layer;
  work.quantiser = quantiser();
  work.write = to.write;
  work.in = {from, layer.in, network_.format(layer.source)};
  if (layer.reads_two())
    work.with = {host_tensor(fusion_.root(layer.with)), network_.shape(layer.with), network_.format(layer.with)};
  plan.host = std::move(work);
  return std::nullopt;
}

Unschedulable LayerWalk::unschedulable(const Misfit& misfit, int index) const {
  if (index < 0) return {"", {}, misfit.reason};
  return {at(index).name, at(index).where, misfit.reason};
}

std::vector<int> LayerWalk::made_of(int index) const {
  if (!fusion_.moves_nothing(index)) return {};
  const std::vector<int> all = fusion_.written(fusion_.root(index));
  std::vector<int> run;
  for (const int part : all)
    if (fusion_.is_chosen(part)) run.push_back(part);
  return run.empty() ? all : run;
}

// Places every tensor that a chosen layer reads or writes.
std::optional<Unschedulable> LayerWalk::place_tensors() {
  for (const int index : fusion_.chosen) {
    const std::vector<int> source = fusion_.written(fusion_.root(at(index).source));
    read_.insert(source.begin(), source.end());
    if (!at(index).reads_two()) continue;
    const std::vector<int> with = fusion_.written(fusion_.root(at(index).with));
    read_.insert(with.begin(), with.end());
  }
  for (const int index : fusion_.chosen) {
    const Layer& layer = at(index);
    if (auto failed = place_once(fusion_.root(layer.source), index)) return failed;
    if (layer.reads_two())
      if (auto failed = place_once(fusion_.root(layer.with), index)) return failed;
    if (layer.type() == LayerType::flatten || fusion_.fused_into(index) >= 0) continue;
    if (auto failed = place_once(index, index)) return failed;
  }
  return std::nullopt;
}

// A tensor that is made of parts is placed as a whole, even if the chosen layers know only some of the parts. A layer's
// cycles thus do not depend on the choice.
std::optional<Unschedulable> LayerWalk::place_once(int producer, int reader) {
  const int whole = fusion_.part(producer).of;
  if (fusion_.fused_into(producer) >= 0 || !placed_.insert(whole).second) return std::nullopt;
  const bool in_parts = whole >= 0 && fusion_.is_joined(whole);
  const std::vector<int> given = given_in(whole);
  const std::int64_t before = memory_.reserved();
  if (const auto failed = place(whole, in_parts || given.empty() || !options_.values ? nullptr : supplied(whole)))
    return unschedulable(*failed, whole < 0 ? reader : whole);
  const std::int64_t bytes = memory_.reserved() - before, channels = network_.shape(whole).channels;
  for (const int part : given) {
    given_bytes_ += in_parts ? base::ceil_div(bytes * network_.shape(part).channels, channels) : bytes;
    if (in_parts && options_.values)
      memory_.add(
          [write = host_tensor(part).write, values = supplied(part)](std::uint8_t* memory) { write(memory, *values); });
    if (part == Layer::kInput) fill_input_ = memory_.last();
  }
  return std::nullopt;
}

// Returns the parts of the tensor that come from outside the program.
std::vector<int> LayerWalk::given_in(int whole) const {
  std::vector<int> given;
  for (const int part : fusion_.written(whole))
    if (!fusion_.is_chosen(part) && read_.count(part) > 0) given.push_back(part);
  return given;
}

// Returns a tensor from outside the program. A flattened tensor has the same bytes; one that is made of parts has the
// bytes of each.
const network::Tensor* LayerWalk::supplied(int producer) {
  if (producer == Layer::kInput) return &network_.input;
  const network::Shape& shape = network_.shape(producer);
  for (const auto& [index, tensor] : options_.tensors) {
    const int root = fusion_.root(index);
    if (root == producer) return &tensor;
    const std::vector<int> written = fusion_.written(root);
    if (std::find(written.begin(), written.end(), producer) == written.end()) continue;
    const std::int64_t first = fusion_.part(producer).first - fusion_.part(root).first;
    const std::int64_t channel = std::int64_t{shape.height} * shape.width * tensor.format.value_bytes();
    const auto begin = tensor.bytes.begin() + first * channel;
    channels_.push_back({shape, tensor.format, {begin, begin + shape.channels * channel}});
    return &channels_.back();
  }
  throw std::logic_error("compile: no tensor for skipped layer " + at(producer).name);
}

}  // namespace fansim::compile
