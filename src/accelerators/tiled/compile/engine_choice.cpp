// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/compile/engine_choice.h"

#include <cstdint>

namespace fansim::tiled {

using network::Layer;
using network::LayerType;

int engine_of(const Layer& layer, const Config& config) {
  if (layer.type() == LayerType::fc) return config.fc.exists() ? Config::kFc : Config::kConv;
  const bool of_input = layer.source == Layer::kInput && layer.in.channels <= config.first.tn;
  return config.first.exists() && of_input ? Config::kFirst : Config::kConv;
}

int vector_columns(const Layer& layer, const Config& config) {
  const Encoding e = config.weight_encoding();
  const std::int64_t row_bytes = e.beats(config.conv.tm) * e.beat_bytes();
  const std::int64_t held = config.weights.half_bytes() / (row_bytes * config.conv.tn);
  const auto most = static_cast<int>(std::min<std::int64_t>(held, config.conv.input_words));
  for (int columns = most; columns > 1; --columns)
    if (layer.in.elements() % columns == 0) return columns;
  return 1;
}

void declare_sum_order(network::Network& network, const Config& config) {
  for (Layer& layer : network.layers) {
    if (layer.type() != LayerType::conv && layer.type() != LayerType::fc) continue;
    std::optional<network::FloatSums>& sums = layer.parameters().float_sums;
    if (!sums) continue;
    const int engine = engine_of(layer, config);
    const bool vector = layer.type() == LayerType::fc && engine == Config::kConv;
    sums->lanes = config.engine(engine).tn;
    sums->steps = vector ? vector_columns(layer, config) : layer.window().area();
  }
}

}  // namespace fansim::tiled
