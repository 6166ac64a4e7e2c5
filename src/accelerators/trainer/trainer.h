// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/accelerator.h"

namespace fansim::trainer {

// Describes the accelerator that trains networks in floating point of any width (docs/trainer.md).
accelerators::Kind kind();

}  // namespace fansim::trainer
