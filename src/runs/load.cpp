// SPDX-License-Identifier: Apache-2.0
#include "runs/load.h"

#include <fmt/format.h>

#include "base/error.h"
#include "network/picture_tensor.h"
#include "pictures/picture_file.h"
#include "runs/select_layers.h"

namespace fansim::runs {
namespace {

bool is_pipeline(const network::Network& network) {
  return network.layers.front().type() == network::LayerType::vision;
}

}  // namespace

network::LoadOptions load_options(const Request& request) {
  network::LoadOptions options;
  options.seed = request.seed;
  options.values = request.values;
  options.checkpoint = request.checkpoint;
  if (!pictures::is_picture_name(request.input)) options.input = request.input;
  if (!request.layers.empty())
    options.wanted = [layers = request.layers](const network::Network& network) {
      return read_by(network, select_layers(network, layers));
    };
  return options;
}

network::Network load_given(const Request& request, const accelerators::Accelerator& accelerator) {
  network::LoadOptions options = load_options(request);
  options.weights_later = accelerator.weights_drawn() == accelerators::WeightsDrawn::when_used;
  if (accelerator.weights_drawn() == accelerators::WeightsDrawn::by_machine)
    options.wanted = [](const network::Network& network) { return std::vector<bool>(network.layers.size()); };
  network::Network network = network::load_network(request.network, options);
  if (pictures::is_picture_name(request.input) && request.values) {
    network::read_picture(request.input, network.input);
    network.input_given = true;
  }
  if (request.input.empty() && request.values && is_pipeline(network) &&
      network::is_picture(network.input.shape, network.input.format))
    network::fill_test_card(network.input, request.seed);
  if (!request.checkpoint.empty() && !accelerator.trainer())
    throw base::UserError(fmt::format("run: --checkpoint: {} runs networks with their own weights, none of a training",
                                      accelerator.config().name));
  return network;
}

}  // namespace fansim::runs
