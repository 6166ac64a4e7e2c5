// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "training/train.h"

namespace fansim::training {

// The answer in its first line, then the learning curve, the confusion matrix, cycles and energy.
std::string text(const Result& result);
std::string json(const Result& result, const std::string& version, const std::string& command);

// What stands beside the bar while it learns.
std::string progress_text(const checkpoint::Checkpoint& state);

}  // namespace fansim::training
