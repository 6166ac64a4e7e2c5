// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/accelerator.h"

namespace fansim::decoupled {

// The decoupled accelerator (docs/decoupled.md).
accelerators::Kind kind();

}  // namespace fansim::decoupled
