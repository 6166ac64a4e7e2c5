// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "timing/beat_runs.h"

namespace fansim::stream {

using timing::BeatRuns;

}  // namespace fansim::stream
