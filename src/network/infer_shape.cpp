// SPDX-License-Identifier: Apache-2.0
#include "network/infer_shape.h"

#include <fmt/format.h>

#include <climits>

namespace fansim::network {
namespace {

struct Produced {
  std::string name;
  Shape shape;
  NumberFormat format;
};

Produced produced(const Network& before, int index) {
  if (index == Layer::kInput) return {"input", before.input.shape, before.input.format};
  const Layer& layer = before.layers[static_cast<std::size_t>(index)];
  return {layer.name, layer.out, layer.out_format};
}

void slide(const base::YamlMap& map, Layer& layer, int channels) {
  const Window& window = layer.window();
  const auto [top, left, bottom, right] = window.padding;
  const int height = layer.in.height + top + bottom;
  const int width = layer.in.width + left + right;
  if (window.kernel > height || window.kernel > width) {
    map.fail("kernel", fmt::format("kernel {} is larger than its padded input, {} x {}", window.kernel, height, width));
  }
  layer.out =
      Shape::map(channels, windows(height, window.kernel, window.stride, window.ceil_mode, layer.in.height + top),
                 windows(width, window.kernel, window.stride, window.ceil_mode, layer.in.width + left));
}

// Every window must meet the map: a maximum of no values does not exist.
void infer_pool(const base::YamlMap& map, Layer& layer) {
  const int kernel = layer.window().kernel;
  for (const int side : layer.window().padding)
    if (side >= kernel)
      map.fail("padding",
               fmt::format("padding {} is out of range for a pooling of kernel {}; allowed: an integer 0..{}", side,
                           kernel, kernel - 1));
  slide(map, layer, layer.in.channels);
}

void infer_conv(const base::YamlMap& map, Layer& layer) {
  if (layer.in.channels % layer.groups() != 0) {
    map.fail("groups",
             fmt::format("{} input channels are not divisible by groups {}", layer.in.channels, layer.groups()));
  }
  if (layer.outputs() % layer.groups() != 0) {
    map.fail("groups", fmt::format("{} filters are not divisible by groups {}", layer.outputs(), layer.groups()));
  }
  slide(map, layer, layer.outputs());
}

void infer_recurrent(const base::YamlMap& map, Layer& layer) {
  Recurrent& recurrent = layer.recurrent();
  if (recurrent.steps == 0) recurrent.steps = layer.in.steps;
  if (recurrent.steps != layer.in.steps) {
    map.fail("steps", fmt::format("steps {} but its input has {}", recurrent.steps, layer.in.steps));
  }
  layer.out = Shape::series(recurrent.steps, recurrent.hidden);
}

void infer_add(const base::YamlMap& map, Layer& layer, const Produced& a, const Produced& b) {
  if (a.shape != b.shape) {
    map.fail("with",
             fmt::format("add of different shapes: {} {} and {} {}", a.name, a.shape.text(), b.name, b.shape.text()));
  }
  layer.out = layer.in;
}

void infer_function(const base::YamlMap& map, Layer& layer, const Produced& a, const Produced& b) {
  const FunctionShape shape = shape_of(*layer.function(), a.shape, b.shape);
  if (!shape.refusal.empty()) map.fail("type", fmt::format("{} {}", layer.kind(), shape.refusal));
  if (layer.function()->function == Function::concat && a.format != b.format)
    map.fail("with", fmt::format("concat of different number formats: {} and {}", a.name, b.name));
  layer.out = shape.out;
}

void require(const base::YamlMap& map, const Layer& layer, const Produced& source, bool sequence) {
  if (source.shape.sequence == sequence) return;
  map.fail("type", fmt::format("{} needs a {}, but '{}' is a {} {}", type_name(layer.type()),
                               sequence ? "sequence" : "feature map", source.name,
                               sequence ? "feature map" : "sequence", source.shape.text()));
}

}  // namespace

void infer_shape(const base::YamlMap& map, Layer& layer, const Network& before) {
  const Produced source = produced(before, layer.source);
  layer.in = source.shape;
  layer.in_format = layer.out_format = source.format;
  switch (layer.type()) {
    case LayerType::conv:
      require(map, layer, source, false);
      infer_conv(map, layer);
      break;
    case LayerType::maxpool:
    case LayerType::avgpool:
      require(map, layer, source, false);
      infer_pool(map, layer);
      break;
    case LayerType::lstm:
    case LayerType::gru:
      require(map, layer, source, true);
      infer_recurrent(map, layer);
      break;
    case LayerType::fc:
      layer.out = Shape::map(layer.outputs(), 1, 1);
      break;
    case LayerType::add:
      infer_add(map, layer, source, produced(before, layer.with));
      break;
    case LayerType::relu:
    case LayerType::softmax:
      layer.out = layer.in;
      break;
    case LayerType::flatten:
      layer.out = Shape::map(static_cast<int>(layer.in.elements()), 1, 1);
      break;
    case LayerType::function:
      infer_function(map, layer, source, layer.reads_two() ? produced(before, layer.with) : source);
      break;
    case LayerType::vision:  // read_pipeline infers it
      break;
  }
  if (layer.out.elements() > INT_MAX || layer.weight_count() > INT_MAX) {
    map.fail("type", fmt::format("output {} or its weights hold more than 2^31 values", layer.out.text()));
  }
  if (layer.computes()) layer.out_format = before.computed_format();
}

}  // namespace fansim::network
