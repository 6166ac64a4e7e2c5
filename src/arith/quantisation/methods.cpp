// SPDX-License-Identifier: Apache-2.0
#include "arith/quantisation/component.h"

// Lists the built-in methods. Each `name` is defined in name.cpp.
#define FANSIM_QUANTISATION_METHODS(method) \
  method(bnn) method(tnn) method(mul2q) method(dorefa) method(vecq) method(pot) method(kmeans) method(linear)

namespace fansim::arith {

#define FANSIM_DECLARE(method) std::unique_ptr<QuantisationMethod> method();
FANSIM_QUANTISATION_METHODS(FANSIM_DECLARE)
#undef FANSIM_DECLARE

QuantisationMethods::QuantisationMethods() {
#define FANSIM_ADD(method) add(method());
  FANSIM_QUANTISATION_METHODS(FANSIM_ADD)
#undef FANSIM_ADD
}

}  // namespace fansim::arith
