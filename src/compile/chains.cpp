// SPDX-License-Identifier: Apache-2.0
#include "compile/chains.h"

#include <fmt/format.h>

namespace fansim::compile {

std::optional<Misfit> chain_misfit(const std::string& terms, const contract::DualInt8Config& chain) {
  if (chain.exact()) return std::nullopt;
  contract::DualInt8Config symmetric = chain;
  symmetric.lowest_weight = -127;
  return Misfit{fmt::format(
      "{}: {} products of an int8 weight and {} activation do not fit the {} bits of a chain's lower sum; {} do{}",
      terms, chain.terms, chain.unsigned_activations ? "a uint8" : "an int8", chain.shift, chain.most_terms(),
      symmetric.exact() ? fmt::format(", and {} if no weight is -128", chain.terms) : "")};
}

}  // namespace fansim::compile
