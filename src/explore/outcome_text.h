// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "explore/model.h"

namespace fansim::explore {

// An outcome as a store keeps it, every number exact; none if the text is none.
std::string to_text(const Outcome& outcome);
std::optional<Outcome> outcome_of(const std::string& text);

}  // namespace fansim::explore
