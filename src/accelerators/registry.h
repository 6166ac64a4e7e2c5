// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "accelerators/accelerator.h"

namespace fansim::accelerators {

// Every kind of accelerator that the program has (registry.cpp: a line each).
const std::vector<Kind>& registry();

// Reads a configuration of whatever kind its `system` names; throws base::UserError.
std::unique_ptr<Accelerator> read_accelerator(const std::string& path, const std::vector<std::string>& overrides);

// The same for whom faults are no matter of: UserError, "explore: ...", at a configuration that has some.
std::unique_ptr<Accelerator> read_faultless(const char* who, const std::string& path,
                                            const std::vector<std::string>& overrides);

}  // namespace fansim::accelerators
