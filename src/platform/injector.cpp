// SPDX-License-Identifier: Apache-2.0
#include "platform/injector.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "rules/fault_draw.h"

namespace fansim::platform {

Injector::Injector(sim::Scheduler& scheduler, memory::Ddr& ddr, std::uint64_t seed,
                   std::function<void(const std::string& what)> tell)
    : seed_(seed), scene_{scheduler, std::move(tell)}, places_(fault_places(ddr)) {}

FaultPlace& Injector::place_of(const contract::Fault& fault) const {
  const contract::FaultKind& kind = contract::kind_of(fault);
  std::vector<std::string> fitting, all;
  for (const auto& place : places_) {
    all.push_back(place->name);
    if (place->has(fault.kind)) fitting.push_back(place->name);
    if (place->name != fault.at || !place->has(fault.kind)) continue;
    const std::string misfit = place->misfit(fault);
    if (!misfit.empty()) throw base::UserError(fmt::format("fault '{}': {}", fault.text(), misfit));
    return *place;
  }
  const bool known = std::find(all.begin(), all.end(), fault.at) != all.end();
  throw base::UserError(fmt::format("fault '{}': {}{}\nplaces of kind {} on this machine: {}", fault.text(),
                                    known ? fmt::format("{} is no place of kind {}", fault.at, kind.word)
                                          : fmt::format("place '{}' unknown", fault.at),
                                    base::did_you_mean(fault.at, fitting), kind.word, base::joined(fitting)));
}

void Injector::add(const contract::Fault& fault) {
  const Numbered one{fault, &place_of(fault), count_++};
  if (fault.layer.empty())
    schedule(one, 0);
  else
    of_layers_.push_back(one);
}

void Injector::begin_layer(const std::string& name, sim::Edge begin) {
  for (const Numbered& one : of_layers_)
    if (one.fault.layer == name) schedule(one, begin);
}

// A fault that changes values only happens before the layer's first step.
void Injector::schedule(const Numbered& one, sim::Edge from) {
  if (one.fault.values_only() && from > 0) {
    happen(one, from + 1);
    return;
  }
  const sim::Edge edge = std::max<sim::Edge>(from + one.fault.cycle, 1);
  scene_.scheduler.at(edge, [this, one, edge] { happen(one, edge); });
}

void Injector::happen_now(const contract::Fault& fault, sim::Edge next) {
  happen({fault, &place_of(fault), count_++}, next);
}

void Injector::happen(const Numbered& one, sim::Edge next) {
  one.place->happen(one.fault, scene_, next, rules::draws_of(seed_, one.number));
}

}  // namespace fansim::platform
