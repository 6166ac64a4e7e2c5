// SPDX-License-Identifier: Apache-2.0
#include "network/read_pipeline.h"

#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "network/picture_tensor.h"
#include "network/read_layer.h"
#include "openvx/image_type.h"
#include "openvx/read_stage.h"

namespace fansim::network {
namespace {

constexpr int kLargestSide = 1 << 15;
constexpr int kMostChannels = 3;
constexpr std::size_t kLargestPicture = std::size_t{1} << 28;  // bytes of a file

openvx::ImageType type_of(const Shape& shape, const NumberFormat& format) {
  return {shape.width, shape.height, shape.channels, format.type};
}

openvx::ImageType image_of(const Network& before, int producer) {
  if (producer == Layer::kInput) return type_of(before.input.shape, before.input.format);
  const Layer& layer = before.layers[static_cast<std::size_t>(producer)];
  return type_of(layer.out, layer.out_format);
}

// Reads a stage that is a picture of its own and has no input.
void read_own_picture(base::YamlMap& map, Layer& layer, openvx::Stage& stage, const StageFiles& files) {
  Tensor tensor;
  read_image(map, tensor);
  if (!is_picture(tensor.shape, tensor.format))
    map.fail("function", "a picture has 1 or 3 channels of uint8 or uint16");
  if (files.values) require_held(map, tensor.shape.elements());
  const std::string file = map.text("file", "");
  if (!file.empty()) {
    const std::string path = base::beside(files.path, file);
    try {
      if (files.values) read_picture(path, tensor);
      files.hash->add(base::read_file(path, kLargestPicture));
    } catch (const base::UserError& error) {
      map.fail("file", error.what());
    }
  } else if (files.values) {
    fill_test_card(tensor, base::Random(files.seed, layer.name).next());
  }
  if (files.values) {
    auto pixels = std::make_shared<std::vector<std::int32_t>>();
    tensor.visit_integers([&](auto values) {
      for (std::size_t i = 0; i < values.size(); ++i) pixels->push_back(values[i]);
    });
    stage.pixels = std::move(pixels);
  }
  layer.out = tensor.shape;
  layer.out_format = tensor.format;
}

}  // namespace

void read_image(base::YamlMap& map, Tensor& input) {
  const int width = map.integer("width", 1, kLargestSide), height = map.integer("height", 1, kLargestSide);
  input.shape = Shape::map(map.integer("channels", 1, kMostChannels, 1), height, width);
  constexpr DataType kTypes[] = {DataType::uint8, DataType::int16, DataType::uint16};
  input.format = NumberFormat::of(kTypes[map.has("type") ? map.choice("type", {"uint8", "int16", "uint16"}) : 0]);
}

Layer read_stage(const base::YamlNode& node, const Network& before, const StageFiles& files) {
  base::YamlMap map(node, read_layer_name(node, before));
  Layer layer;
  layer.name = map.text("name");
  layer.where = node.where;
  openvx::StageEntry entry = openvx::read_stage(map);
  if (entry.stage.function == openvx::Function::picture) {
    read_own_picture(map, layer, entry.stage, files);
    map.finish();
    layer.in = before.input.shape;  // its source, of which it reads nothing
    layer.in_format = before.input.format;
    layer.operation = std::move(entry.stage);
    return layer;
  }
  layer.source =
      map.has("input_from") ? read_producer(map, "input_from", before) : static_cast<int>(before.layers.size()) - 1;
  const openvx::ImageType in = image_of(before, layer.source);
  openvx::ImageType with;
  const bool two = openvx::facts(entry.stage.function).two_inputs;
  if (two) {
    layer.with = read_producer(map, "with", before);
    with = image_of(before, layer.with);
  }
  const openvx::Inferred inferred = openvx::infer(entry.stage, in, two ? &with : nullptr, entry.wide_result);
  if (!inferred.refused.empty()) map.fail("function", inferred.refused);
  map.finish();
  layer.in = Shape::map(in.channels, in.height, in.width);
  layer.in_format = NumberFormat::of(in.type);
  layer.out = Shape::map(inferred.out.channels, inferred.out.height, inferred.out.width);
  layer.out_format = NumberFormat::of(inferred.out.type);
  layer.operation = std::move(entry.stage);
  return layer;
}

}  // namespace fansim::network
