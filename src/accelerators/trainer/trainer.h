// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/accelerator.h"

namespace fansim::trainer {

// The accelerator that learns in floating point of any width (docs/trainer.md).
accelerators::Kind kind();

}  // namespace fansim::trainer
