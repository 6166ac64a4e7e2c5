// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "importer/operators.h"

namespace fansim::importer {
namespace {

using Type = ImportedLayer::Type;

constexpr int kLargestMean = 256;  // largest kernel of avgpool

// Adds a pooling layer if the array can compute it: square windows, whose means count the padding. Otherwise adds a
// function for the host.
void put_pool(Graph& graph, const Node& node, const Value& in, const Taps& taps, Dims out, bool average,
              bool counts_padding) {
  for (std::size_t i = 0; i < 4; ++i)
    if (taps.pads[i] >= taps.size[i % 2]) throw Refused{"a pad as large as the window"};
  // The part of a window beyond a line holds no value. Only a maximum may ignore that.
  const bool line = in.dims.size() == 3 && !average && taps.size[0] == 1;
  const bool exact =
      !average || (taps.size[0] <= kLargestMean && (!taps.is_padded() || counts_padding) && !taps.is_cut());
  if ((taps.is_square() || line) && exact) {
    const Window w = window_of(taps);
    ImportedLayer& layer = graph.put(node, average ? Type::avgpool : Type::maxpool, in, std::move(out));
    layer.kernel = w.kernel;
    layer.stride = w.stride;
    layer.padding = w.padding;
    layer.ceil_mode = taps.ceil_mode;
    return;
  }
  ImportedLayer& layer = put_windows(graph, node, average ? "window_mean" : "window_max", in, std::move(out), taps.size,
                                     taps.stride, taps.pads);
  if (taps.ceil_mode) layer.words["ceil_mode"] = "true";
  if (average && counts_padding) layer.words["count_padding"] = "true";
}

void refuse_channels_last(const Node& node) {
  if (node.integer("channels_last", 0) != 0) throw Refused{"its channels come last"};
}

void pool(Graph& graph, const Node& node) {
  const Value in = graph.map(node, 0);
  const bool average = node.op == "AveragePool";
  refuse_channels_last(node);
  const Dims kernel = node.list("kernel_shape", {});
  const bool line = in.dims.size() == 3 && kernel.size() == 1;
  if (!line && (in.dims.size() != 4 || kernel.size() != 2))
    throw Refused{fmt::format("a window of {} over a map of {}", text(kernel), text(in.dims))};
  const Taps taps = taps_of(node, in.dims, kernel);
  if (!taps.is_solid()) throw Refused{fmt::format("a window of {} with gaps between its cells", text(kernel))};
  if (node.outputs.size() > 1 && !node.outputs[1].empty() && graph.is_read(node.outputs[1]))
    throw Refused{"its indices are read"};
  const bool counts = node.integer("count_include_pad", 0) != 0 && taps.is_padded();
  if (average && counts && taps.is_cut()) throw Refused{"its last averages are of fewer values than count its padding"};
  put_pool(graph, node, in, taps,
           line ? Dims{1, in.dims[1], taps.out[1]} : Dims{1, in.dims[1], taps.out[0], taps.out[1]}, average, counts);
}

void pool_whole(Graph& graph, const Node& node, bool average, bool keeps_dims) {
  const Value in = graph.map(node, 0);
  if (in.dims.size() != 4 && in.dims.size() != 3)
    throw Refused{fmt::format("a map of {}; those of height and width are pooled as a whole", text(in.dims))};
  Node whole = node;
  whole.words.erase("auto_pad");
  whole.lists = {{"strides", {in.dims.end() - 2, in.dims.end()}}};
  if (in.dims.size() == 3) whole.lists["strides"][0] = 1;
  whole.integers.clear();
  const Taps taps = taps_of(whole, in.dims, whole.lists["strides"]);
  Dims out(keeps_dims ? in.dims.size() : 2, 1);
  out[1] = in.dims[1];
  put_pool(graph, node, in, taps, out, average, false);
}

void global_pool(Graph& graph, const Node& node) {
  refuse_channels_last(node);
  pool_whole(graph, node, node.op != "GlobalMaxPool", true);
}

void reduce_mean(Graph& graph, const Node& node) {
  const auto rank = static_cast<std::int64_t>(graph.map(node, 0).dims.size());
  Dims axes = node.list("axes", {});
  for (std::int64_t& axis : axes) axis += axis < 0 ? rank : 0;
  std::sort(axes.begin(), axes.end());
  if (axes != (rank == 3 ? Dims{2} : Dims{2, 3})) throw Refused{"a mean over other axes than height and width"};
  pool_whole(graph, node, true, node.integer("keepdims", 1) != 0);
}

}  // namespace

ImportedLayer& put_windows(Graph& graph, const Node& node, const char* function, const Value& in, Dims out,
                           const RowsColumns& kernel, const RowsColumns& stride, const Pads& padding) {
  ImportedLayer& layer = put_function(graph, node, function, in, std::move(out));
  layer.lists = {{"kernel", {kernel.begin(), kernel.end()}}, {"stride", {stride.begin(), stride.end()}}};
  if (padding != Pads{}) layer.lists["padding"] = {padding.begin(), padding.end()};
  return layer;
}

Operators pooling_operators() {
  return {{"MaxPool", pool},
          {"AveragePool", pool},
          {"GlobalMaxPool", global_pool},
          {"GlobalAveragePool", global_pool},
          {"ReduceMean", reduce_mean}};
}

}  // namespace fansim::importer
