// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "accelerators/accelerator.h"
#include "cli/run_options.h"
#include "waveforms/waveform_file.h"

namespace fansim::cli {

// Creates the waveform that `run --vcd` records into `file`. Throws UserError if that would be too much, or nothing.
// The fast engine tells beforehand when each layer runs and where its cycles go.
std::unique_ptr<sim::Waveform> make_waveform(const RunOptions& run, const contract::Program& program,
                                             const accelerators::Accelerator& accelerator,
                                             waveforms::WaveformFile& file);

// Returns the window that `run --timeline` records. Throws UserError if it is empty.
sim::WaveformWindow timeline_window(const RunOptions& run, const contract::Program& program,
                                    const accelerators::Accelerator& accelerator);

}  // namespace fansim::cli
