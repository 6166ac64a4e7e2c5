// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "timing/memory.h"

namespace fansim::timing::trains {

// The memory of timing::make_memory(), which takes many decisions at once where nothing can come between them. A paced
// one takes each by itself.
std::unique_ptr<Memory> make_memory(const contract::DdrConfig& config, int beat_bytes, const base::Rational& port_mhz,
                                    int ports);

}  // namespace fansim::timing::trains
