// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "accelerators/accelerator.h"
#include "cli/run_options.h"
#include "waveforms/waveform_file.h"

namespace fansim::cli {

// What `run --vcd` records into `file`. UserError if that is too much, or nothing, for which the fast engine says when
// each layer runs and where its cycles go.
std::unique_ptr<sim::Waveform> make_waveform(const RunOptions& run, const contract::Program& program,
                                             const accelerators::Accelerator& accelerator,
                                             waveforms::WaveformFile& file);

// What `run --timeline` is of; UserError if that is nothing.
sim::WaveformWindow timeline_window(const RunOptions& run, const contract::Program& program,
                                    const accelerators::Accelerator& accelerator);

}  // namespace fansim::cli
