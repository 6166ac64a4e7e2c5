// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::cli {

// Kinds of faults, and what is said of one. Places are a machine's: `inject --places` lists them.
void describe_faults();

}  // namespace fansim::cli
