// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::cli {

// Prints the kinds of faults and what each means. The places depend on the machine: `inject --places` lists them.
void describe_faults();

}  // namespace fansim::cli
