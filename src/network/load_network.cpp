// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <map>

#include "base/file.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/npy.h"
#include "network/network.h"
#include "network/random_tensors.h"
#include "network/read_layer.h"
#include "network/read_pipeline.h"

namespace fansim::network {
namespace {

double rms_of(const std::vector<std::int8_t>& values) {
  double squares = 0;
  for (const std::int8_t value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

constexpr double kLeastStep = 1e-30;

class Loader {
 public:
  Loader(const std::string& path, const LoadOptions& options)
      : path_(path), options_(options), text_(base::read_file(path)), top_(base::parse_yaml(text_, path)) {
    hash_.add(text_);
  }

  Network load() {
    top_.integer("version", 1, 1);
    network_.name = top_.text("name");
    pipeline_ = top_.has("stages");
    if (!pipeline_) read_coding();
    read_input();
    const std::vector<base::YamlNode>& layers = layer_nodes(top_, pipeline_ ? "stages" : "layers");
    top_.finish();
    for (const base::YamlNode& node : layers) {
      base::stop_if_interrupted();
      if (pipeline_) {
        network_.layers.push_back(read_stage(node, network_, {path_, options_.values, options_.seed, &hash_}));
        hold(base::YamlMap(node, network_.layers.back().name), network_.layers.back().out.elements());
        continue;
      }
      LayerEntry entry = read_layer(node, network_);
      hold(entry.map, entry.layer.out.elements() + entry.layer.weight_count());
      load_tensors(entry);
      network_.layers.push_back(std::move(entry.layer));
    }
    if (options_.values) draw();
    network_.hash = hash_.text();
    return std::move(network_);
  }

 private:
  void read_coding() {
    if (!top_.has("quantised")) return;
    base::YamlMap map(top_.at("quantised"), "quantised");
    const std::string name = map.text("method");
    method_ = methods_.find(name);
    if (method_ == nullptr) map.fail("method", methods_.unknown(name));
    const arith::BitRange weights = method_->weight_bits(), activations = method_->activation_bits();
    network_.coding = {name, map.integer("weight_bits", weights.lo, weights.hi),
                       map.integer("activation_bits", activations.lo, activations.hi), ""};
    if (map.has("floats")) network_.coding->floats = base::beside(path_, map.text("floats"));
    map.finish();
  }

  void read_input() {
    base::YamlMap map(top_.at("input"), "input");
    Tensor& input = network_.input;
    if (pipeline_) {
      read_image(map, input);
    } else {
      input.shape = read_input_shape(map);
      if (map.text("type", "") == base::facts(DataType::float32).word)
        map.fail("type", "type float32: a network of floats runs once it is quantised (fansim quantise)");
      input.format = read_number_format(map, network_.coding ? network_.coding->activation_bits : 8);
      if (map.has("step")) network_.input_step = map.number("step", kLeastStep, 1 / kLeastStep);
    }
    map.finish();
    hold(map, input.shape.elements());
    rms_.push_back(expected_input_rms(input.format));
    network_.input_given = !options_.input.empty();
    if (!options_.values) return;
    if (network_.input_given && network_.input_step > 0 && base::holds_floats(options_.input)) {
      give_input(network_, base::read_npy<float>(options_.input, input.shape.dims()));
    } else if (network_.input_given) {
      input.bytes = base::read_npy(options_.input, input.format.type, input.shape.dims());
    } else {
      fill_random_input(input, options_.seed);
    }
  }

  void hold(const base::YamlMap& map, std::int64_t values) {
    held_ += values;
    if (options_.values) require_held(map, held_);
  }

  // Reads the file that a layer's key names. Errors are reported at that key.
  template <class T>
  std::vector<T> read_tensor(const LayerEntry& entry, const std::string& key, const std::string& name,
                             const base::NpyShape& shape) {
    const std::string file = base::beside(path_, name);
    try {
      hash_.add(base::read_file(file, base::largest_npy(sizeof(T), shape)));
      std::vector<T> values = base::read_npy<T>(file, shape);
      if constexpr (std::is_same_v<T, float>) base::require_finite(file, values);
      return values;
    } catch (const base::UserError& error) {
      entry.map.fail(key, error.what());
    }
  }

  void read_bias(LayerEntry& entry) {
    const auto bias = read_tensor<std::int32_t>(entry, "bias", entry.bias_file, {entry.layer.bias_count()});
    entry.layer.parameters().bias = {bias.begin(), bias.end()};
  }

  double rms(int producer) const { return rms_[static_cast<std::size_t>(producer + 1)]; }

  void load_tensors(LayerEntry& entry) {
    Layer& layer = entry.layer;
    const double in_rms = rms(layer.source);
    rms_.push_back(expected_output_rms(layer, in_rms, rms(layer.with)));
    if (!layer.computes()) return;
    if (network_.coding) {
      load_codes(entry);
      return;
    }

    Parameters& parameters = layer.parameters();
    double weight_rms = 0;
    parameters.weights_given = !entry.weights_file.empty();
    parameters.bias_given = !entry.bias_file.empty();
    parameters.scales.given = !parameters.scales.scale.empty();
    if (parameters.weights_given) {
      parameters.weights = read_tensor<std::int8_t>(entry, "weights", entry.weights_file, layer.weight_dims());
      weight_rms = rms_of(parameters.weights);
      parameters.lowest_weight = *std::min_element(parameters.weights.begin(), parameters.weights.end());
    }
    if (parameters.bias_given) {
      read_bias(entry);
    }
    const Derived derived = derive(layer, in_rms, weight_rms);
    if (!parameters.scales.given) parameters.scales = {{derived.scale}, {derived.shift}, false};
    if (!parameters.weights_given) parameters.lowest_weight = -derived.weight_limit;
    limits_[network_.layers.size()] = derived;
    if (options_.values) return;
    parameters.drop_values();
  }

  // Draws the tensors that no file brought.
  void draw() {
    const std::vector<bool> wanted = options_.wanted ? options_.wanted(network_) : std::vector<bool>();
    for (const auto& [index, limits] : limits_) {
      if (!wanted.empty() && !wanted[index]) continue;
      Layer& layer = network_.layers[index];
      Parameters& parameters = layer.parameters();
      if (!parameters.weights_given && options_.weights_later)
        parameters.later = LaterWeights{options_.seed, limits.weight_limit};
      else if (!parameters.weights_given)
        fill_random_weights(layer, limits.weight_limit, options_.seed);
      if (!parameters.bias_given) fill_random_bias(layer, limits.bias_limit, options_.seed);
    }
  }

  // Loads a layer of codes. It carries everything; nothing is drawn or derived.
  void load_codes(LayerEntry& entry) {
    Layer& layer = entry.layer;
    if (layer.type() != LayerType::conv && layer.type() != LayerType::fc && !is_int8(*network_.coding))
      entry.map.fail("type", fmt::format("'{}' of weight_bits {}, activation_bits {} has no codes of {}, which is int8",
                                         method_->name(), network_.coding->weight_bits,
                                         network_.coding->activation_bits, type_name(layer.type())));
    Parameters& parameters = layer.parameters();
    for (const char* key : {"weights", "bias", "quant"}) entry.map.at(key);
    if (parameters.scales.scale.empty()) entry.map.fail("quant", "quant: key 'scale' is missing");
    parameters.weight_bits = network_.coding->weight_bits;
    parameters.weights_given = parameters.bias_given = parameters.scales.given = true;
    parameters.codec = restored_codec(entry);
    if (parameters.weight_bits <= 8) {
      take_codes(entry, read_tensor<std::uint8_t>(entry, "weights", entry.weights_file, layer.weight_dims()));
    } else {
      take_codes(entry, read_tensor<std::uint16_t>(entry, "weights", entry.weights_file, layer.weight_dims()));
    }
    read_bias(entry);
    if (options_.values) return;
    parameters.drop_values();
  }

  template <class Code>
  void take_codes(LayerEntry& entry, const std::vector<Code>& codes) {
    Parameters& parameters = entry.layer.parameters();
    const auto outside =
        std::find_if(codes.begin(), codes.end(), [&](Code code) { return code >= parameters.codec->codes(); });
    if (outside != codes.end())
      entry.map.fail("weights", fmt::format("weights: {}: code {} is out of range; allowed: 0..{}", entry.weights_file,
                                            *outside, parameters.codec->codes() - 1));
    parameters.weights.resize(codes.size() * sizeof(Code));
    std::memcpy(parameters.weights.data(), codes.data(), parameters.weights.size());
    if (is_int8(*parameters.codec)) parameters.codec = nullptr;
  }

  // Returns whether codes are their integers in two's complement.
  static bool is_int8(const arith::WeightCodec& codec) {
    if (codec.bits() != 8) return false;
    for (int value = -128; value < 128; ++value)
      if (codec.integer(static_cast<std::uint8_t>(value)) != value) return false;
    return true;
  }

  bool is_int8(const Coding& coding) const {
    return coding.weight_bits == 8 && coding.activation_bits == 8 && !method_->has_codebook() &&
           is_int8(*method_->restore(8, {}));
  }

  std::shared_ptr<const arith::WeightCodec> restored_codec(const LayerEntry& entry) {
    const int bits = network_.coding->weight_bits;
    if (method_->has_codebook() == entry.codebook_file.empty())
      entry.map.fail("codebook", fmt::format("codebook: '{}' {}", method_->name(),
                                             method_->has_codebook() ? "needs one" : "has none"));
    if (!method_->has_codebook()) return method_->restore(bits, {});
    const std::vector<float> codebook =
        read_tensor<float>(entry, "codebook", entry.codebook_file, {std::int64_t{1} << bits});
    return method_->restore(bits, codebook);
  }

  std::string path_;
  const LoadOptions& options_;
  std::string text_;
  base::YamlMap top_;
  base::Fnv1a hash_;
  Network network_;
  bool pipeline_ = false;
  const arith::QuantisationMethods methods_;
  const arith::QuantisationMethod* method_ = nullptr;  // set for a network of codes
  std::int64_t held_ = 0;                              // values of maps and weights so far
  std::map<std::size_t, Derived> limits_;              // for layers without codes
  std::vector<double> rms_;  // root mean squares that are expected: the input's, then that of each layer's output
};

}  // namespace

Network load_network(const std::string& path, const LoadOptions& options) { return Loader(path, options).load(); }

}  // namespace fansim::network
