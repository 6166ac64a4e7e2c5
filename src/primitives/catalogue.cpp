// SPDX-License-Identifier: Apache-2.0
#include "primitives/catalogue.h"

#include <strings.h>

#include "primitives/carry8.h"
#include "primitives/cfglut5.h"
#include "primitives/dsp48e2.h"
#include "primitives/lut6_2.h"
#include "primitives/ramb.h"
#include "primitives/srlc32e.h"

namespace fansim::primitives {

const std::vector<Primitive>& catalogue() {
  static const std::vector<Primitive> all{
      primitive<Dsp48e2>("DSP48E2", "48-bit multiply, add and logic slice"),
      primitive<Lut6_2>("LUT6_2", "six-input look-up table with two outputs"),
      primitive<Cfglut5>("CFGLUT5", "five-input look-up table that is reloaded serially"),
      primitive<Srlc32e>("SRLC32E", "shift register of 32 bits with an addressed output"),
      primitive<Carry8>("CARRY8", "carry logic of eight bits, or twice four"),
      primitive<Ramb18e2>("RAMB18E2", "block RAM of 18 Kb"),
      primitive<Ramb36e2>("RAMB36E2", "block RAM of 36 Kb"),
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
