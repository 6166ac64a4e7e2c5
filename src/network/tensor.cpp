// SPDX-License-Identifier: Apache-2.0
#include "network/tensor.h"

#include <fmt/format.h>

#include <stdexcept>

namespace fansim::network {

void Tensor::refuse(const char* wanted) const {
  throw std::logic_error(fmt::format("a tensor of {} read as {}", base::facts(format.type).word, wanted));
}

}  // namespace fansim::network
