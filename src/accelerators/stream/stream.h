// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/accelerator.h"

namespace fansim::stream {

// Returns the streaming accelerator as a kind of accelerator (docs/architecture.md).
accelerators::Kind kind();

}  // namespace fansim::stream
