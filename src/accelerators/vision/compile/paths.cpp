// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/compile/paths.h"

#include "openvx/stage.h"

namespace fansim::vision {
namespace {

using network::Layer;
using Unit = openvx::Facts::Unit;

Unit unit_of(const Layer& layer) { return openvx::facts(layer.vision()->function).unit; }

}  // namespace

std::vector<int> streamed_into(const network::Network& network) {
  const std::size_t stages = network.layers.size();
  std::vector<int> into(stages, -1), readers(stages);
  for (const Layer& layer : network.layers) {
    if (!layer.vision()) return into;  // the network is no pipeline
    if (layer.source >= 0) ++readers[static_cast<std::size_t>(layer.source)];
    if (openvx::facts(layer.vision()->function).two_inputs && layer.with >= 0)
      ++readers[static_cast<std::size_t>(layer.with)];
  }
  std::vector<unsigned> passed(stages);  // for each stage, the units of its path so far, one bit each
  for (std::size_t i = 0; i < stages; ++i) {
    const Layer& layer = network.layers[i];
    const Unit unit = unit_of(layer);
    passed[i] = 1U << static_cast<unsigned>(unit);
    if (layer.source < 0 || unit == Unit::host) continue;
    const auto before = static_cast<std::size_t>(layer.source);
    const Layer& producer = network.layers[before];
    const bool alone = !openvx::facts(layer.vision()->function).two_inputs && readers[before] == 1;
    const bool takes = unit != Unit::filter || layer.in_format.value_bytes() == 1;
    if (!alone || !takes || unit_of(producer) == Unit::host || producer.vision()->filters() > 1) continue;
    if (passed[before] & passed[i]) continue;
    passed[i] |= passed[before];
    into[before] = static_cast<int>(i);
  }
  return into;
}

}  // namespace fansim::vision
