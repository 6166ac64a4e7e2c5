// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/accelerator.h"

namespace fansim::vision {

// The vision accelerator, whole.
accelerators::Kind kind();

}  // namespace fansim::vision
