// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/compile/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accelerators/trainer/config/phases.h"
#include "accelerators/trainer/config/transfers.h"
#include "base/random.h"
#include "compile/text.h"
#include "training/data/checkpoint.h"

namespace fansim::trainer {
namespace {

using compile::grouped;
using compile::Misfit;
using network::Layer;
using network::LayerType;

std::string text(const arith::FloatFormat& format) {
  return fmt::format("(1,{},{})", format.exponent_bits, format.mantissa_bits);
}
std::string text(const char* name, const WeightedConfig& block) {
  return fmt::format("{} {} {} {} {}", name, text(block.forward), text(block.sum), text(block.backward),
                     text(block.weights));
}

std::optional<LayerKind> kind_of(const Layer& layer) {
  switch (layer.type()) {
    case LayerType::conv:
      return LayerKind::convolution;
    case LayerType::maxpool:
      return LayerKind::pooling;
    case LayerType::fc:
      return LayerKind::fully_connected;
    case LayerType::softmax:
      return LayerKind::softmax;
    default:
      return std::nullopt;
  }
}

std::string beyond(const char* what, int value, int limit) {
  return fmt::format("{} {} is more than its register holds: {}", what, value, limit);
}

// Returns what the machine cannot do with a layer; empty: it can do all of it.
std::string refusal(const Layer& layer) {
  const network::Window& window = layer.window();
  const auto pads = [&](int limit) {
    return std::any_of(window.padding.begin(), window.padding.end(), [&](int side) { return side > limit; });
  };
  if (!kind_of(layer))
    return fmt::format(
        "{}: the trainer has conv, maxpool, fc, softmax and flatten; relu is an activation of conv and fc",
        layer.kind());
  if (layer.computes() && layer.parameters().weights_given)
    return "weights: those of a training come from a checkpoint (--checkpoint)";
  if (layer.computes() && layer.parameters().bias_given) return "bias: the trainer adds none";
  if (layer.type() == LayerType::conv) {
    if (layer.groups() != 1) return fmt::format("groups {}: the trainer's convolutions have one", layer.groups());
    if (window.kernel > kMostKernel) return beyond("kernel", window.kernel, kMostKernel);
    if (window.stride > kMostStride) return beyond("stride", window.stride, kMostStride);
    if (pads(kMostPadding)) return fmt::format("padding of more than its register holds: {}", kMostPadding);
  }
  if (layer.type() == LayerType::maxpool) {
    if (window.kernel > kMostKernel) return beyond("kernel", window.kernel, kMostKernel);
    if (window.stride != window.kernel || pads(0) || window.ceil_mode)
      return "a pooling whose windows overlap, leave gaps or reach over the border: the gradient goes back to one "
             "place";
  }
  for (const std::int64_t extent : {layer.in.elements(), layer.out.elements()})
    if (extent > kMostExtent) return fmt::format("{} values: a tensor has {} at most", grouped(extent), kMostExtent);
  return "";
}

LayerEntry entry_of(const Layer& layer) {
  LayerEntry entry;
  entry.kind = *kind_of(layer);
  entry.relu = layer.activation == network::Activation::relu;
  if (entry.kind == LayerKind::convolution || entry.kind == LayerKind::pooling) {
    const network::Window& window = layer.window();
    entry.kernel = window.kernel;
    entry.stride = window.stride;
    entry.top = window.padding[0];
    entry.left = window.padding[1];
    entry.in_channels = layer.in.channels;
    entry.in_height = layer.in.height;
    entry.in_width = layer.in.width;
    entry.out_channels = layer.out.channels;
    entry.out_height = layer.out.height;
    entry.out_width = layer.out.width;
  } else {
    entry.in_channels = static_cast<int>(layer.in.elements());
    entry.out_channels = static_cast<int>(layer.out.elements());
  }
  return entry;
}

// Returns what the network as a whole needs but the machine does not have.
std::string refusal(const Job& job, const Config& config) {
  const Layout layout(job);
  if (layout.activations > config.memories.activations)
    return fmt::format("memories.activations {}: the network's tensors have {} words",
                       grouped(config.memories.activations), grouped(layout.activations));
  if (layout.all_weights > config.memories.weights)
    return fmt::format("memories.weights {}: the network has {}", grouped(config.memories.weights),
                       grouped(layout.all_weights));
  if (layout.all_weights == 0) return "the network has no weights: there is nothing to train";
  const std::int64_t longest = (std::int64_t{1} << config.dma.length_bits) - 1 - config.axi.beat_bytes();
  const std::int64_t bytes =
      std::max({job.image_bytes(), kWordBytes * layout.all_weights, kWordBytes * job.result_words()});
  if (bytes > longest)
    return fmt::format("a transfer of {} bytes: dma.length_bits {} counts {}", grouped(bytes), config.dma.length_bits,
                       grouped(longest));
  return "";
}

std::uint32_t initial_weight(const Layer& layer, const arith::FloatArithmetic& unit, base::Random& random) {
  // The weights are uniform. Their variance keeps that of the values constant; ReLU cuts half of the values, so it
  // needs twice as much.
  const double variance =
      (layer.activation == network::Activation::relu ? 2.0 : 1.0) / static_cast<double>(layer.fan_in());
  const double limit = std::sqrt(3 * variance);
  arith::FloatEvents none;
  const std::uint64_t word = unit.from_double(limit * random.uniform(-(1 << 20), 1 << 20) / (1 << 20), none);
  return static_cast<std::uint32_t>(arith::FloatArithmetic(arith::kSingle).convert(word, unit.format(), none));
}

void take_weights(network::FloatStage& stage, const Layer& layer, const training::Checkpoint& checkpoint,
                  const std::string& path) {
  const auto fail = [&](const std::string& what) { throw base::UserError(base::Location{path, 0, 0}, what); };
  const auto found = std::find_if(checkpoint.weights.begin(), checkpoint.weights.end(),
                                  [&](const auto& one) { return one.layer == layer.name; });
  if (found == checkpoint.weights.end())
    fail(fmt::format("no weights of layer '{}': a checkpoint of another network, {}", layer.name, checkpoint.network));
  if (found->words.size() != static_cast<std::size_t>(layer.weight_count()))
    fail(fmt::format("{} weights of layer '{}', which has {}", grouped(static_cast<std::int64_t>(found->words.size())),
                     layer.name, grouped(layer.weight_count())));
  stage.weights = found->words;
  const arith::FloatArithmetic unit(stage.weight_format), single(arith::kSingle);
  arith::FloatEvents none;
  for (const std::uint32_t word : stage.weights)
    if (single.convert(unit.convert(word, arith::kSingle, none), stage.weight_format, none) != word)
      fail(fmt::format("a weight of layer '{}' is no number of {}", layer.name, text(stage.weight_format)));
}

}  // namespace

std::string design_text(const Config& config) {
  const SoftmaxConfig& s = config.softmax;
  return fmt::format(
      "{}, {}, {}, pooling {}, softmax {} {} {}, {}", text("convolution", config.convolution), text("fc1", config.fc1),
      text("fc2", config.fc2), text(config.pooling.format), text(s.format),
      s.divider == Divider::array ? "array" : "reciprocal",
      s.divider == Divider::array ? "" : fmt::format("{} {}", s.reciprocal.seed_bits, s.reciprocal.iterations),
      config.arithmetic.rounding == arith::FloatRounding::truncate ? "truncate" : "nearest_even");
}

std::variant<Job, LayerMisfit> describe(const network::Network& network, const Config& config) {
  Job job;
  int before = Layer::kInput;
  const auto misfit = [](int layer, std::string reason) { return LayerMisfit{layer, {std::move(reason)}}; };
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& layer = network.layers[i];
    const auto index = static_cast<int>(i);
    if (layer.source != before)
      return misfit(index, "the trainer's layers read the one before them, one after the other");
    before = index;
    if (layer.type() == LayerType::flatten) continue;
    if (const std::string reason = refusal(layer); !reason.empty()) return misfit(index, reason);
    if (job.layers > 0 && job.table[job.layers - 1].kind == LayerKind::softmax)
      return misfit(index, "softmax is the last layer");
    if (job.layers == kMostLayers)
      return misfit(index, fmt::format("the registers describe {} layers at most", kMostLayers));
    job.table[job.layers++] = entry_of(layer);
  }
  if (job.layers == 0 || job.table[job.layers - 1].kind != LayerKind::softmax)
    return misfit(static_cast<int>(network.layers.size()) - 1,
                  "the last layer must be softmax: training begins with its gradient");
  if (network.input.format.type != network::DataType::uint8)
    return misfit(Layer::kInput, "the input must be of type uint8: pixels");
  if (const std::string reason = refusal(job, config); !reason.empty()) return misfit(Layer::kInput, reason);
  arith::FloatEvents none;
  const arith::FloatArithmetic single(arith::kSingle, arith::FloatRounding::nearest_even);
  job.learning_rate = static_cast<std::uint32_t>(single.from_double(config.update.learning_rate, none));
  return job;
}

void prepare_network(network::Network& network, const Config& config, const network::LoadOptions& options) {
  const auto described = describe(network, config);
  const auto* job = std::get_if<Job>(&described);
  if (job == nullptr) return;
  std::optional<training::Checkpoint> trained;
  if (!options.checkpoint.empty()) {
    trained = training::read_checkpoint(options.checkpoint);
    if (trained->design != design_text(config))
      throw base::UserError(
          base::Location{options.checkpoint, 0, 0},
          fmt::format("weights of another design: {}; this one is {}", trained->design, design_text(config)));
  }
  const network::NumberFormat format = network::NumberFormat::of(network::DataType::float32);
  std::size_t entry = 0;
  for (Layer& layer : network.layers) {
    if (layer.source != Layer::kInput) layer.in_format = format;
    layer.out_format = format;
    auto stage = std::make_shared<network::FloatStage>();
    stage->rounding = config.arithmetic.rounding;
    if (layer.computes()) layer.parameters().drop_values();
    if (layer.type() == LayerType::flatten) {
      if (layer.source == Layer::kInput) layer.out_format = layer.in_format;
      layer.arithmetic = std::move(stage);
      continue;
    }
    stage->format = value_format(config, *job, entry + 1);
    if (job->layer(entry).has_weights()) {
      const WeightedConfig& block = block_of(config, *job, entry);
      stage->sum = block.sum;
      stage->weight_format = block.weights;
      stage->backward = block.backward;
      if (trained) {
        take_weights(*stage, layer, *trained, options.checkpoint);
      } else {
        base::Random random(options.seed, layer.name + " weights");
        const arith::FloatArithmetic unit(block.weights);
        for (std::int64_t i = 0; i < layer.weight_count(); ++i)
          stage->weights.push_back(initial_weight(layer, unit, random));
      }
    }
    stage->array_divider = config.softmax.divider == Divider::array;
    stage->array = config.softmax.array;
    stage->reciprocal = config.softmax.reciprocal;
    layer.arithmetic = std::move(stage);
    ++entry;
  }
}

std::vector<std::uint32_t> all_weights(const network::Network& network) {
  std::vector<std::uint32_t> words;
  for (const Layer& layer : network.layers)
    if (layer.floating()) words.insert(words.end(), layer.floating()->weights.begin(), layer.floating()->weights.end());
  return words;
}

}  // namespace fansim::trainer
