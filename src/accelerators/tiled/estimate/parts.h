// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/estimate/banks.h"
#include "accelerators/tiled/estimate/coefficients.h"
#include "contract/resources.h"
#include "estimate/coefficients.h"

// This file has what several boxes share.
namespace fansim::tiled {

namespace k = estimate::coefficients;
namespace t = coefficients;
using contract::Resources;

inline int whole(double count) { return static_cast<int>(std::ceil(count)); }
inline Resources luts(double count) { return {0, whole(count), 0, 0}; }

inline Resources stream_of(int bits) { return {0, whole(bits * k::kLutPerStreamBit), bits * k::kFfPerStreamBit, 0}; }
inline Resources control(int bits) { return {0, whole(bits * k::kLutPerControlBit), bits, 0}; }

// Returns block RAM with the logic around each bank.
inline Resources store(const BankedStore& s) { return {0, whole(s.instances() * t::kLutPerBank), 0, s.bram36()}; }

inline int sum_bits(const Config& c) { return c.float_sum() ? 32 : c.quantiser.accumulator_bits; }

}  // namespace fansim::tiled
