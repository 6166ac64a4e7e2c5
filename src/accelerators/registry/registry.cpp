// SPDX-License-Identifier: Apache-2.0
#include "accelerators/registry.h"

#include "accelerators/decoupled/decoupled.h"
#include "accelerators/stream/stream.h"
#include "accelerators/tiled/tiled.h"
#include "accelerators/trainer/trainer.h"
#include "accelerators/vision/vision.h"

namespace fansim::accelerators {

const std::vector<Kind>& registry() {
  static const std::vector<Kind> kKinds{
      stream::kind(), tiled::kind(), vision::kind(), trainer::kind(), decoupled::kind(),
  };
  return kKinds;
}

}  // namespace fansim::accelerators
