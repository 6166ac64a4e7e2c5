// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "accelerators/accelerator.h"
#include "compile/compile.h"
#include "contract/frames.h"
#include "contract/host.h"
#include "contract/mapping.h"
#include "contract/program.h"
#include "network/network.h"
#include "runs/reference_chain.h"
#include "runs/request.h"
#include "sim/waveform.h"

namespace fansim::runs {

// Holds a program that is ready to run: nothing refuses it any more.
struct Prepared {
  // Has a value if the network does not fit the accelerator's buffers. Then nothing else is there.
  std::optional<compile::Unschedulable> unschedulable;
  contract::Program program;
  contract::Loading loading;                  // before the first layer
  std::unique_ptr<sim::Waveform> waveform;    // for the clocked engine; null: none
  std::map<int, contract::Mapping> mappings;  // by the layer's index in the network; only if they were asked for
  contract::FrameRule frame_rule;             // only if frames were asked for
};

// The second stage of a run: compiles the network, and refuses what cannot run or cannot be written. `request` has the
// configuration's faults (with_faults). Throws UserError.
Prepared prepare(const Request& request, const accelerators::Accelerator& accelerator, const network::Network& network,
                 ReferenceChain& reference);

}  // namespace fansim::runs
