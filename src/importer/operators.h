// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "importer/graph.h"
#include "importer/windows.h"

// This file lists what ONNX's operators become. Each function throws Refused if it cannot convert a node.
namespace fansim::importer {

using Operators = std::map<std::string, void (*)(Graph&, const Node&)>;

Operators weighted_operators();     // Conv, Gemm, and what is folded into them
Operators pooling_operators();      // pooling and means
Operators elementwise_operators();  // activations, sums and products of maps
Operators code_operators();         // QuantizeLinear, DequantizeLinear
Operators shape_operators();        // operators that move elements or do nothing
Operators recurrent_operators();    // LSTM, GRU, and steps of sequences

// Computes factor * x + offset for each channel. It is folded into the layer before if nothing else reads that layer,
// else it becomes a layer of its own.
void affine(Graph& graph, const Node& node, const Value& in, const std::vector<double>& factor,
            const std::vector<double>& offset);

// Add a convolution, or a fully connected layer, of a map and weights.
void convolve(Graph& graph, const Node& node, const Value& in, const Constant& weight, const std::vector<float>& bias);
void multiply_by(Graph& graph, const Node& node, const Value& in, const Constant& weight);

// Take one step of a sequence, along `axis` or along its outermost axis with more than one element. `out` is the shape
// that the value has afterwards.
void put_step(Graph& graph, const Node& node, const Value& in, std::int64_t step, const Dims& out);
void take_step(Graph& graph, const Node& node, const Value& in, std::size_t axis, std::int64_t step, const Dims& out);
// Returns the elements of a sequence under other dims; a vector becomes a map.
Value in_shape(Value value, const Dims& dims);

// Adds a function of one map, or of two that it joins or combines element by element.
ImportedLayer& put_function(Graph& graph, const Node& node, const char* function, const Value& in, Dims out);

// Adds a function of windows over a map.
ImportedLayer& put_windows(Graph& graph, const Node& node, const char* function, const Value& in, Dims out,
                           const RowsColumns& kernel, const RowsColumns& stride, const Pads& padding);

}  // namespace fansim::importer
