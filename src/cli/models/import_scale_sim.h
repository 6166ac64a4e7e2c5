// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options/options.h"

namespace fansim::cli {

// Decides by the file's suffix, .csv or .cfg.
bool is_of_scale_sim(const std::string& path);
// Runs `import` for such a file. Returns an ExitCode.
int import_scale_sim(const Options& options);

}  // namespace fansim::cli
