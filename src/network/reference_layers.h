// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/reference.h"

// The parts of run_reference that have files of their own. `out` has its shape and format already.
namespace fansim::network {

// Adds one requantised value (less its zero point) to the statistics.
void count(Statistics& statistics, std::int64_t sum, int value, bool saturated, const arith::QuantiserFormat& format);

void run_maxpool(const Layer& layer, const Tensor& in, Tensor& out);
void run_avgpool(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Tensor& out);
void run_lstm(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result);
void run_gru(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result);

}  // namespace fansim::network
