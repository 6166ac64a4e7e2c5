// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "importer/graph.h"

// What ONNX's operators become. Each throws Refused where it becomes nothing.
namespace fansim::importer {

using Operators = std::map<std::string, void (*)(Graph&, const Node&)>;

Operators weighted_operators();     // Conv, Gemm, and what is folded into them
Operators pooling_operators();      // pools and means
Operators elementwise_operators();  // activations, sums and products of maps
Operators code_operators();         // QuantizeLinear, DequantizeLinear
Operators shape_operators();        // what moves elements, or nothing at all

// factor * x + offset for each channel: into the layer before if nothing else reads that, else a layer of its own.
void affine(Graph& graph, const Node& node, const Value& in, const std::vector<double>& factor,
            const std::vector<double>& offset);

// A function of one map, or of two, one behind the other or each with each.
ImportedLayer& put_function(Graph& graph, const Node& node, const char* function, const Value& in, Dims out);

}  // namespace fansim::importer
