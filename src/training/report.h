// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "training/train.h"

namespace fansim::training {

// Writes the answer in the first line, then the learning curve, the confusion matrix, cycles and energy.
std::string text(const Result& result);
std::string json(const Result& result, const std::string& version, const std::string& command);

// Returns the text beside the progress bar.
std::string progress_text(const Checkpoint& state);

}  // namespace fansim::training
