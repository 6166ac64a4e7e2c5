// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "accelerators/accelerator.h"

namespace fansim::accelerators {

// Returns every kind of accelerator in the program; registry.cpp has a line for each.
const std::vector<Kind>& registry();

// Reads a configuration of the kind that its `system` names. Throws base::UserError, also at an override that would
// change nothing.
std::unique_ptr<Accelerator> read_accelerator(const std::string& path, const std::vector<std::string>& overrides);

// Reads a configuration that must have no faults. Throws UserError, "explore: ...", if it has some.
std::unique_ptr<Accelerator> read_faultless(const char* who, const std::string& path,
                                            const std::vector<std::string>& overrides);

}  // namespace fansim::accelerators
