// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/yaml.h"
#include "network/network.h"

namespace fansim::network {

// A layer as its YAML map states it, tensors not yet loaded.
struct LayerEntry {
  base::YamlMap map;  // for messages about what the layer turns out to be
  Layer layer;
  std::string weights_file, bias_file, codebook_file, steps_file;  // relative to the network's file; empty: none
  NumberFormat given_format;                                       // of a layer of floats: what it is to become
  double given_step = 0;                                           // 0: not given
};

// What a network may hold whose values are wanted: its input, its layers' outputs and weights.
constexpr std::int64_t kMostValues = std::int64_t{1} << 29;
void require_held(const base::YamlMap& map, std::int64_t values);

// The layers' nodes, of a network's top map.
const std::vector<base::YamlNode>& layer_nodes(base::YamlMap& top, const char* key = "layers");

// Of the network's input, from keys `shape`, or `steps` and `features`.
Shape read_input_shape(base::YamlMap& input);

// Reads the layer that follows those of `before`, finds its producers among them and infers its shapes.
LayerEntry read_layer(const base::YamlNode& node, const Network& before);

// Parts of that, for whoever reads stages: a name that no layer has, and the index of the layer that `key` names.
std::string read_layer_name(const base::YamlNode& node, const Network& before);
int read_producer(base::YamlMap& map, const std::string& key, const Network& before);

// The codes that floats are to become, from key `format`; the step, or 0 if there is no such key.
double read_given_format(base::YamlMap& map, NumberFormat& format);

// The integer type that holds codes of `bits` and its zero point, from keys `type` and `zero_point`.
NumberFormat read_number_format(base::YamlMap& map, int bits);

}  // namespace fansim::network
