// SPDX-License-Identifier: Apache-2.0
#include "accelerators/registry.h"

#include "accelerators/stream/stream.h"
#include "accelerators/tiled/tiled.h"
#include "toy/copy/copy.h"

namespace fansim::accelerators {

// The program's registry, and a line for the toy.
const std::vector<Kind>& registry() {
  static const std::vector<Kind> kKinds{
      stream::kind(),
      tiled::kind(),
      copy::kind(),
  };
  return kKinds;
}

}  // namespace fansim::accelerators
