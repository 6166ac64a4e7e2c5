// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "explore/model.h"

namespace fansim::explore {

// Converts an outcome to the text that a store keeps, with every number exact, and back. outcome_of() returns nothing
// if the text is damaged.
std::string to_text(const Outcome& outcome);
std::optional<Outcome> outcome_of(const std::string& text);

}  // namespace fansim::explore
