// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "benches/memory/ddr_traffic.h"
#include "contract/ddr_part.h"
#include "waveforms/wave_writer.h"

namespace fansim::benches {

// Writes bursts that ran as a waveform. It shows, for each stream, what it issues, what it waits for, and when its data
// are on the bus. Times are those of the memory clock in picoseconds, rounded down, from the trace's time 0 on.
void write_ddr_waveform(const std::string& path, waveforms::Words words, const contract::DdrPart& part,
                        const std::vector<DdrBurst>& bursts);

}  // namespace fansim::benches
