// SPDX-License-Identifier: Apache-2.0
#include "runs/observer.h"

#include <fmt/format.h>

#include <utility>

#include "base/interrupt.h"
#include "base/workers.h"
#include "runs/layer_output.h"
#include "runs/layer_sums.h"

namespace fansim::runs {

using network::Layer;

Observer::Observer(const network::Network& network, const std::vector<contract::LayerPlan>& plans,
                   ReferenceChain& reference, bool verify, const std::string& dump_folder)
    : network_(network), reference_(reference), verify_(verify), dump_folder_(dump_folder) {
  for (const contract::LayerPlan& plan : plans) {
    plans_[plan.layer] = plan;
    awaited_[plan.layer] = {plan.made_of.begin(), plan.made_of.end()};
    if (plan.made_of.empty()) awaited_[plan.layer] = {plan.layer};
  }
}

void Observer::layer_done(const contract::LayerPlan& plan, const std::uint8_t* ddr) {
  base::stop_if_interrupted();
  const int stored = plan.fused_into < 0 ? plan.layer : plan.fused_into;
  for (const auto& [index, there] : plans_) {
    std::set<int>& awaited = awaited_[index];
    if (awaited.erase(stored) > 0 && awaited.empty()) look(index, there, ddr);
  }
}

std::optional<arith::Saturation> Observer::saturated(const contract::LayerPlan& plan, int sum_bits,
                                                     const contract::LayerResult& result) {
  if (plan.on_host || !result.saturation) return std::nullopt;
  const bool exact = !may_leave(at(plan.layer), sum_bits);
  if (exact && (!verify_ || !differences.empty())) return result.saturation;
  arith::Saturation expected = reference_.of(plan.layer).saturation;
  if (plan.fused_into >= 0) {
    const Layer& behind = at(plan.fused_into);
    if (exact && behind.pools() && !reads_all(behind)) return result.saturation;
    expected += reference_.of(plan.fused_into).saturation;
  }
  expected.values = 0;
  if (exact && !(expected == *result.saturation))
    differences.push_back(fmt::format("{}: saturation differs: {}, expected {}", plan.name,
                                      arith::text(*result.saturation), arith::text(expected)));
  if (!exact) wrapped_[plan.layer] = expected;
  return expected;
}

void Observer::complete(contract::LayerResult& result) const {
  if (const auto wrapped = wrapped_.find(result.layer); wrapped != wrapped_.end()) result.saturation = wrapped->second;
  if (result.saturation) {
    const auto plan = plans_.find(result.layer);
    const int behind = plan == plans_.end() ? -1 : plan->second.fused_into;
    std::int64_t& values = result.saturation->values;
    values = result.on_host ? 0 : requantised_sums(at(result.layer)) + (behind < 0 ? 0 : requantised_sums(at(behind)));
    if (values == 0) result.saturation.reset();
  }
  const auto seen = seen_.find(result.layer);
  if (seen == seen_.end()) return;
  result.output_hash = seen->second.output_hash;
  if (const auto hash = hashes_.find(result.layer); hash != hashes_.end()) result.output_hash = hash->second.get();
  result.accumulator_overflows = seen->second.accumulator_overflows;
}

void Observer::look(int index, const contract::LayerPlan& plan, const std::uint8_t* ddr) {
  const bool last = index == plans_.rbegin()->first;
  if (!hashes && !last && !on_output && !verify_ && dump_folder_.empty()) return;
  const Layer& layer = at(index);
  network::Tensor output = read_output(layer, plan, ddr);
  contract::LayerResult& seen = seen_[index];
  if (on_output) on_output(index, output);
  if (!dump_folder_.empty()) dump(dump_folder_, layer.name, output);
  if (verify_) {
    const network::Result& expected = reference_.of(index);
    seen.accumulator_overflows = expected.statistics.accumulator_overflows;
    if (const auto difference = first_difference(output, expected.out))
      differences.push_back(fmt::format("{}: {}", layer.name, *difference));
  }
  if (last) last_output = output;
  if (!hashes) return;
  constexpr std::size_t kLarge = std::size_t{1} << 18;
  if (output.bytes.size() < kLarge || base::cores() == 1)
    seen.output_hash = hash_of(output);
  else
    hashes_[index] = std::async(std::launch::async, [output = std::move(output)] { return hash_of(output); });
}

}  // namespace fansim::runs
