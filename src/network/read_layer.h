// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/yaml.h"
#include "network/network.h"

namespace fansim::network {

// A layer as its YAML map states it, before tensors are loaded.
struct LayerEntry {
  base::YamlMap map;  // for errors that show up later
  Layer layer;
  std::string weights_file, bias_file, codebook_file, steps_file;  // paths relative to the network's file; empty: none
  NumberFormat given_format;  // for a layer of floats: the codes that it will become
  double given_step = 0;      // 0 if not given
};

// The most values that a network may hold if they are wanted: its input, and its layers' outputs and weights.
constexpr std::int64_t kMostValues = std::int64_t{1} << 29;
void require_held(const base::YamlMap& map, std::int64_t values);

// Returns the layers' nodes in a network's top map.
const std::vector<base::YamlNode>& layer_nodes(base::YamlMap& top, const char* key = "layers");

// Reads the shape of the network's input from keys `shape`, or `steps` and `features`.
Shape read_input_shape(base::YamlMap& input);

// Reads the layer that follows those of `before`, finds its producers among them and infers its shapes.
LayerEntry read_layer(const base::YamlNode& node, const Network& before);

// Parts of read_layer() that stages use too: a name that no layer has yet, and the index of the layer that `key` names.
std::string read_layer_name(const base::YamlNode& node, const Network& before);
int read_producer(base::YamlMap& map, const std::string& key, const Network& before);

// Reads from key `format` the codes that floats will become. Returns the step, or 0 if the key is absent.
double read_given_format(base::YamlMap& map, NumberFormat& format);

// Reads, from keys `type` and `zero_point`, the integer type that holds codes of `bits` bits and its zero point.
NumberFormat read_number_format(base::YamlMap& map, int bits);

}  // namespace fansim::network
