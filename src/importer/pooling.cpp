// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "importer/operators.h"

namespace fansim::importer {
namespace {

using Type = ImportedLayer::Type;

void pool(Graph& graph, const Node& node) {
  const Value in = graph.map(node, 0);
  const bool average = node.op == "AveragePool";
  const Dims kernel = node.list("kernel_shape", {});
  const bool line = in.dims.size() == 3 && kernel.size() == 1;
  if (!line && (in.dims.size() != 4 || kernel.size() != 2))
    throw Refused{fmt::format("a window of {} over a map of {}", text(kernel), text(in.dims))};
  const Window w = window_of(node, in.dims, kernel);
  // What a window has beyond a line is no value, which only a largest one does not mind.
  const bool square = w.is_square() || (line && !average && w.columns == w.kernel);
  if (!square) throw Refused{fmt::format("a window of {}; square ones without gaps are pooled", text(kernel))};
  if (node.outputs.size() > 1 && !node.outputs[1].empty() && graph.is_read(node.outputs[1]))
    throw Refused{"its indices are read"};
  const bool padded = std::any_of(w.padding.begin(), w.padding.end(), [](int pad) { return pad > 0; });
  if (average && padded && node.integer("count_include_pad", 0) == 0)
    throw Refused{"its averages leave out the padding; those that count it are computed"};
  if (average && w.ceil_mode &&
      ((w.height - 1) * w.stride + w.kernel > in.dims[2] + w.padding[0] + w.padding[2] ||
       (w.width - 1) * w.stride + w.kernel > in.dims[3] + w.padding[1] + w.padding[3]))
    throw Refused{"its last averages are of fewer values"};
  for (const int pad : w.padding)
    if (pad >= w.kernel) throw Refused{"a pad as large as the window"};
  const Dims out = line ? Dims{1, in.dims[1], w.width} : Dims{1, in.dims[1], w.height, w.width};
  ImportedLayer& layer = graph.put(node, average ? Type::avgpool : Type::maxpool, in, out);
  layer.kernel = w.kernel, layer.stride = w.stride, layer.padding = w.padding, layer.ceil_mode = w.ceil_mode;
}

void pool_whole(Graph& graph, const Node& node, Type type, bool keeps_dims) {
  const Value in = graph.map(node, 0);
  if (in.dims.size() != 4 || in.dims[2] != in.dims[3])
    throw Refused{fmt::format("a map of {}; square ones are pooled as a whole", text(in.dims))};
  ImportedLayer& layer = graph.put(node, type, in, keeps_dims ? Dims{1, in.dims[1], 1, 1} : Dims{1, in.dims[1]});
  layer.kernel = layer.stride = static_cast<int>(in.dims[2]);
  layer.out = {in.dims[1], 1, 1};
}

void global_pool(Graph& graph, const Node& node) {
  pool_whole(graph, node, node.op == "GlobalMaxPool" ? Type::maxpool : Type::avgpool, true);
}

void reduce_mean(Graph& graph, const Node& node) {
  Dims axes = node.list("axes", {});
  for (std::int64_t& axis : axes) axis += axis < 0 ? 4 : 0;
  std::sort(axes.begin(), axes.end());
  if (axes != Dims{2, 3}) throw Refused{"a mean over other axes than height and width"};
  pool_whole(graph, node, Type::avgpool, node.integer("keepdims", 1) != 0);
}

}  // namespace

Operators pooling_operators() {
  return {{"MaxPool", pool},
          {"AveragePool", pool},
          {"GlobalMaxPool", global_pool},
          {"GlobalAveragePool", global_pool},
          {"ReduceMean", reduce_mean}};
}

}  // namespace fansim::importer
