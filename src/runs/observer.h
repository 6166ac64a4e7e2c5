// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <future>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "contract/program.h"
#include "contract/result.h"
#include "network/network.h"
#include "runs/reference_chain.h"

namespace fansim::runs {

// Looks at the outputs in DDR as layers end. What a layer is fused into, a flattened tensor and a concatenation
// by placement are no work of their own for the machine: their outputs are there when those of the layers before are.
class Observer {
 public:
  // `dump_folder` may be empty.
  Observer(const network::Network& network, const std::vector<contract::LayerPlan>& plans, ReferenceChain& reference,
           bool verify, const std::string& dump_folder);

  void layer_done(const contract::LayerPlan& plan, const std::uint8_t* ddr);
  // The row of a layer that never ran by itself, or the rest of one that did.
  void complete(contract::LayerResult& result) const;

  std::function<void(int layer, const network::Tensor& output)> on_output;  // of each, as it is there; may be null
  bool hashes = true;  // of all outputs; else those are read for which there is another reason
  std::vector<std::string> differences;
  network::Tensor last_output;  // of the last layer in the plans

 private:
  const network::Layer& at(int index) const { return network_.layers[static_cast<std::size_t>(index)]; }
  void look(int index, const contract::LayerPlan& plan, const std::uint8_t* ddr);

  const network::Network& network_;
  ReferenceChain& reference_;
  const bool verify_;
  const std::string dump_folder_;
  std::map<int, contract::LayerPlan> plans_;
  std::map<int, std::set<int>> awaited_;  // the outputs that a plan's is made of and that are not there yet
  std::map<int, contract::LayerResult> seen_;
  std::map<int, std::shared_future<std::string>> hashes_;  // of large outputs, made beside
};

}  // namespace fansim::runs
