// SPDX-License-Identifier: Apache-2.0
#include "network/quantise.h"

namespace fansim::network {

void quantise(Network&, const Quantisation& quantisation, const LoadOptions&) {
  const std::string reason =
      arith::refusal(*quantisation.method, quantisation.weight_bits, quantisation.activation_bits, quantisation.grain);
  if (!reason.empty()) throw base::UserError(reason);
}

}  // namespace fansim::network
