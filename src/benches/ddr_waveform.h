// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "contract/ddr_part.h"
#include "rules/ddr_traffic.h"

namespace fansim::benches {

// Bursts that ran, as a waveform: of each stream what it issues and what it waits for, and when its data are on the
// bus. Time is the memory clock's, in picoseconds rounded down; it begins with the first burst.
void write_ddr_waveform(const std::string& path, const contract::DdrPart& part,
                        const std::vector<rules::DdrBurst>& bursts);

}  // namespace fansim::benches
