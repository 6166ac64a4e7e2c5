// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "importer/graph.h"
#include "importer/windows.h"

// What ONNX's operators become. Each throws Refused where it becomes nothing.
namespace fansim::importer {

using Operators = std::map<std::string, void (*)(Graph&, const Node&)>;

Operators weighted_operators();     // Conv, Gemm, and what is folded into them
Operators pooling_operators();      // pools and means
Operators elementwise_operators();  // activations, sums and products of maps
Operators code_operators();         // QuantizeLinear, DequantizeLinear
Operators shape_operators();        // what moves elements, or nothing at all
Operators recurrent_operators();    // LSTM, GRU, and steps of sequences

// factor * x + offset for each channel: into the layer before if nothing else reads that, else a layer of its own.
void affine(Graph& graph, const Node& node, const Value& in, const std::vector<double>& factor,
            const std::vector<double>& offset);

// A convolution, or a fully connected layer, of a map by weights.
void convolve(Graph& graph, const Node& node, const Value& in, const Constant& weight, const std::vector<float>& bias);
void multiply_by(Graph& graph, const Node& node, const Value& in, const Constant& weight);

// What the map would be in these codes, where it has others; the codes that the model makes of the node's output.
Value rescaled(Graph& graph, const Node& node, const Value& in, const Codes& codes);
std::optional<Codes> codes_wanted(Graph& graph, const Node& node);

// A step of a sequence, of its outermost axis that has more than one; in the shape that it has behind.
void put_step(Graph& graph, const Node& node, const Value& in, std::int64_t step, const Dims& out);
void take_step(Graph& graph, const Node& node, const Value& in, std::size_t axis, std::int64_t step, const Dims& out);
// The elements of a sequence under other dims; a vector is a map.
Value in_shape(Value value, const Dims& dims);

// A function of one map, or of two, one behind the other or each with each.
ImportedLayer& put_function(Graph& graph, const Node& node, const char* function, const Value& in, Dims out);

// Of windows over a map.
ImportedLayer& put_windows(Graph& graph, const Node& node, const char* function, const Value& in, Dims out,
                           const RowsColumns& kernel, const RowsColumns& stride, const Pads& padding);

}  // namespace fansim::importer
