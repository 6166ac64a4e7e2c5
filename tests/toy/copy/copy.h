// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/accelerator.h"

namespace fansim::copy {

accelerators::Kind kind();

}  // namespace fansim::copy
