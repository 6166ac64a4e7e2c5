// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/accelerator.h"

namespace fansim::decoupled {

// Returns the decoupled accelerator as a kind of accelerator (docs/decoupled.md).
accelerators::Kind kind();

}  // namespace fansim::decoupled
