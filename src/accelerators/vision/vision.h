// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/accelerator.h"

namespace fansim::vision {

// Returns the vision accelerator as a kind of accelerator.
accelerators::Kind kind();

}  // namespace fansim::vision
