// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options/options.h"

namespace fansim::cli {

// By the file's ending, .csv or .cfg.
bool is_of_scale_sim(const std::string& path);
// `import` of such a file; returns an ExitCode.
int import_scale_sim(const Options& options);

}  // namespace fansim::cli
