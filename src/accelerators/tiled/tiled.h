// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/accelerator.h"

namespace fansim::tiled {

// Returns the tiled accelerator as a kind of accelerator (docs/tiled.md).
accelerators::Kind kind();

}  // namespace fansim::tiled
