// SPDX-License-Identifier: Apache-2.0
#include "arith/quantisation/component.h"

namespace fansim::arith {

QuantisationMethods::QuantisationMethods() = default;

}  // namespace fansim::arith
