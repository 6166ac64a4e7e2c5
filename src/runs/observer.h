// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <future>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "contract/program.h"
#include "contract/result.h"
#include "network/network.h"
#include "runs/reference_chain.h"

namespace fansim::runs {

// Looks at the outputs in DDR when layers end. Some layers are no work of their own for the machine: those fused into
// another layer, flattened tensors and concatenations by placement. Their outputs exist when those of the layers before
// them do.
class Observer {
 public:
  // `dump_folder` may be empty.
  Observer(const network::Network& network, const std::vector<contract::LayerPlan>& plans, ReferenceChain& reference,
           bool verify, const std::string& dump_folder);

  void layer_done(const contract::LayerPlan& plan, const std::uint8_t* ddr);
  // Returns what saturated in a layer, and compares it with the reference if that is asked for and no output differed.
  // Where the engine's own sums, of `sum_bits` bits, can wrap, it does not see by how much they do, and the reference's
  // count is taken.
  std::optional<arith::Saturation> saturated(const contract::LayerPlan& plan, int sum_bits,
                                             const contract::LayerResult& result);
  // Fills the row of a layer that never ran by itself, or the rest of the row of one that did.
  void complete(contract::LayerResult& result) const;

  std::function<void(int layer, const network::Tensor& output)> on_output;  // called for each output when it exists;
                                                                            // may be null
  bool hashes = true;  // of all outputs; false: only outputs that are needed for something else are read
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
  std::map<int, std::set<int>> awaited_;  // plan -> outputs that are parts of its output and do not exist yet
  std::map<int, contract::LayerResult> seen_;
  std::map<int, arith::Saturation> wrapped_;               // of layers that the engine cannot count
  std::map<int, std::shared_future<std::string>> hashes_;  // of large outputs, computed in parallel
};

}  // namespace fansim::runs
