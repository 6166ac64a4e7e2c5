// SPDX-License-Identifier: Apache-2.0
#include "runs/select_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"

namespace fansim::runs {

std::vector<int> select_layers(const network::Network& network, const std::string& text) {
  std::vector<std::string> names;
  for (const network::Layer& layer : network.layers) names.push_back(layer.name);
  const auto index_of = [&](const std::string& name) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return static_cast<int>(i);
    }
    throw base::UserError(
        fmt::format("run: --layers: no layer '{}' in {}{}", name, network.name, base::did_you_mean(name, names)));
  };
  std::set<int> chosen;
  for (std::size_t at = 0; !text.empty() && at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, comma - at);
    const std::size_t dots = part.find("..");
    const int first = index_of(part.substr(0, dots));
    const int last = dots == std::string::npos ? first : index_of(part.substr(dots + 2));
    if (first > last) throw base::UserError(fmt::format("run: --layers: '{}' runs backwards", part));
    for (int i = first; i <= last; ++i) chosen.insert(i);
    at = comma + 1;
  }
  return {chosen.begin(), chosen.end()};
}

std::vector<bool> read_by(const network::Network& network, const std::vector<int>& layers) {
  std::vector<bool> read(network.layers.size());
  for (const int index : layers) read[static_cast<std::size_t>(index)] = true;
  for (std::size_t i = read.size(); i-- > 0;) {
    const network::Layer& layer = network.layers[i];
    for (const int producer : {layer.source, layer.with})
      if (read[i] && producer != network::Layer::kInput) read[static_cast<std::size_t>(producer)] = true;
  }
  return read;
}

}  // namespace fansim::runs
