// SPDX-License-Identifier: Apache-2.0
#include "arith/quantisation/component.h"

#include <fmt/format.h>

#include "base/error.h"

namespace fansim::arith {
namespace {

std::string outside(const QuantisationMethod& method, const char* what, int bits, BitRange range) {
  if (bits >= range.lo && bits <= range.hi) return "";
  const std::string allowed =
      range.lo == range.hi ? fmt::format("{}", range.lo) : fmt::format("{}..{}", range.lo, range.hi);
  return fmt::format("{} {} is out of range for '{}'; allowed: {}", what, bits, method.name(), allowed);
}

}  // namespace

const char* grain_name(Grain grain) { return grain == Grain::coarse ? "coarse" : "fine"; }

std::string refusal(const QuantisationMethod& method, int weight_bits, int activation_bits, Grain grain) {
  std::string reason = outside(method, "weight_bits", weight_bits, method.weight_bits());
  if (reason.empty()) reason = outside(method, "activation_bits", activation_bits, method.activation_bits());
  if (reason.empty() && !method.supports(grain)) {
    reason = fmt::format("grain '{}' is not defined for '{}'; did you mean '{}'?", grain_name(grain), method.name(),
                         grain_name(grain == Grain::coarse ? Grain::fine : Grain::coarse));
  }
  return reason;
}

void QuantisationMethods::add(std::unique_ptr<QuantisationMethod> method) {
  for (auto& known : methods_) {
    if (std::string_view(known->name()) == method->name()) {
      known = std::move(method);
      return;
    }
  }
  methods_.push_back(std::move(method));
}

const QuantisationMethod* QuantisationMethods::find(std::string_view name) const {
  for (const auto& method : methods_) {
    if (name == method->name()) return method.get();
  }
  return nullptr;
}

std::vector<std::string> QuantisationMethods::names() const {
  std::vector<std::string> names;
  for (const auto& method : methods_) names.emplace_back(method->name());
  return names;
}

std::string QuantisationMethods::unknown(std::string_view name) const {
  std::string hint = base::did_you_mean(name, names());
  if (hint.empty()) {
    for (const std::string& known : names()) hint += (hint.empty() ? "; one of " : ", ") + known;
  }
  return fmt::format("quantisation '{}' unknown{}", name, hint);
}

}  // namespace fansim::arith
