// SPDX-License-Identifier: Apache-2.0
#include "primitives/catalogue.h"

#include <strings.h>

#include "primitives/lut6_2.h"

namespace fansim::primitives {

const std::vector<Primitive>& catalogue() {
  static const std::vector<Primitive> all{
      primitive<Lut6_2>("LUT6_2", "six-input look-up table with two outputs"),
  };
  return all;
}

const Primitive* find_primitive(const std::string& name) {
  for (const Primitive& primitive : catalogue()) {
    if (strcasecmp(primitive.name, name.c_str()) == 0) return &primitive;
  }
  return nullptr;
}

}  // namespace fansim::primitives
