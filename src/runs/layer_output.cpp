// SPDX-License-Identifier: Apache-2.0
#include "runs/layer_output.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/hash.h"
#include "base/npy.h"
#include "network/picture_tensor.h"
#include "pictures/picture_file.h"

namespace fansim::runs {

network::Tensor read_output(const network::Layer& layer, const contract::LayerPlan& plan, const std::uint8_t* ddr) {
  network::Tensor tensor;
  tensor.shape = layer.out;
  tensor.format = layer.out_format;
  tensor.set_words(plan.output->values(ddr));
  return tensor;
}

std::string hash_of(const network::Tensor& tensor) {
  return base::Fnv1a().add(tensor.bytes.data(), tensor.bytes.size()).text();
}

void check_output_name(const std::string& path, const network::Layer& layer) {
  const auto fail = [&path](const std::string& text) { throw base::UserError(base::Location{path, 0, 0}, text); };
  if (pictures::is_picture_name(path)) {
    if (!network::is_picture(layer.out, layer.out_format))
      fail(fmt::format("a picture has 1 or 3 channels of uint8 or uint16; the output of {} is {} of {}", layer.name,
                       layer.out.text(), base::facts(layer.out_format.type).word));
    pictures::check_picture_name(path, layer.out.channels, layer.out_format.highest());
  } else if (const std::string suffix = std::filesystem::path(path).extension().string();
             !suffix.empty() && suffix != ".npy") {
    fail(fmt::format("no tensor or picture is a {}; allowed: .npy, .pgm, .ppm, .png{}", suffix,
                     base::did_you_mean(suffix, {".npy", ".pgm", ".ppm", ".png"})));
  }
}

void write_output(const std::string& path, const network::Tensor& tensor) {
  if (pictures::is_picture_name(path)) {
    pictures::write_picture(path, network::picture_of(tensor));
    return;
  }
  base::write_npy(path, tensor.shape.dims(), tensor.format.type, tensor.bytes);
}

std::vector<std::string> dump_names(const std::string& layer, const network::Shape& shape,
                                    const network::NumberFormat& format) {
  std::vector<std::string> names{layer + ".npy"};
  if (network::is_picture(shape, format)) names.push_back(layer + (shape.channels == 1 ? ".pgm" : ".ppm"));
  return names;
}

void dump(const std::string& folder, const std::string& layer, const network::Tensor& tensor) {
  for (const std::string& name : dump_names(layer, tensor.shape, tensor.format))
    write_output(folder + "/" + name, tensor);
}

namespace {

std::string value_text(const network::Tensor& tensor, std::size_t i) {
  if (tensor.format.type == network::DataType::float32) return fmt::format("{}", tensor.real(i));
  return fmt::format("{}", tensor.at(i));
}

}  // namespace

std::optional<std::string> first_difference(const network::Tensor& simulated, const network::Tensor& reference) {
  if (simulated.size() != reference.size())
    return fmt::format("output has {} values, the reference {}", simulated.size(), reference.size());
  const std::size_t values = reference.size();
  for (std::size_t i = 0; i < values; ++i) {
    const std::size_t bytes = reference.format.value_bytes();
    if (std::memcmp(&simulated.bytes[i * bytes], &reference.bytes[i * bytes], bytes) == 0) continue;
    base::NpyShape index = reference.shape.dims();
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t d = index.size(); d-- > 0;) {
      const std::int64_t extent = index[d];
      index[d] = rest % extent;
      rest /= extent;
    }
    return fmt::format("output differs at {}: simulated {}, reference {}", base::shape_text(index),
                       value_text(simulated, i), value_text(reference, i));
  }
  return std::nullopt;
}

}  // namespace fansim::runs
