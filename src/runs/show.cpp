// SPDX-License-Identifier: Apache-2.0
#include "runs/show.h"

#include <set>

#include "network/picture_tensor.h"

namespace fansim::runs {
namespace {

// Returns whether a page can show it: a picture of 8 or 16 bits.
bool is_shown(const network::Shape& shape, const network::NumberFormat& format) {
  return network::is_picture(shape, format) && (format.bits == 8 || format.bits == 16);
}

}  // namespace

void keep_pictures(const network::Network& network, Observer& observer, std::vector<Shown>& pictures) {
  const network::Tensor& input = network.input;
  if (is_shown(input.shape, input.format)) pictures.push_back({"input", input});
  std::set<int> read;
  for (const network::Layer& layer : network.layers) {
    read.insert(layer.source);
    if (layer.reads_two()) read.insert(layer.with);
  }
  observer.on_output = [&pictures, &network, read](int layer, const network::Tensor& output) {
    if (read.count(layer) == 0 && is_shown(output.shape, output.format))
      pictures.push_back({network.layers[static_cast<std::size_t>(layer)].name, output});
  };
}

std::vector<contract::LayerResult> every_layer(const Prepared& prepared, const std::vector<contract::LayerPlan>& plans,
                                               const std::vector<contract::LayerResult>& ran,
                                               const Observer& observer) {
  std::vector<contract::LayerResult> all;
  for (const contract::LayerPlan& plan : plans) {
    contract::LayerResult result;
    result.name = plan.name;
    result.type = plan.type;
    result.layer = plan.layer;
    for (const contract::LayerResult& one : ran) {
      if (one.layer == plan.layer) result = one;
    }
    observer.complete(result);
    if (const auto found = prepared.mappings.find(plan.layer); found != prepared.mappings.end())
      result.mapping = found->second;
    all.push_back(result);
  }
  return all;
}

}  // namespace fansim::runs
