// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/reference/reference.h"

// The parts of run_reference that have files of their own. `out` has its shape and format already.
namespace fansim::network {

// Adds one requantised value of a signed type with the zero point 0 to the statistics.
void count(Result& result, std::int64_t sum, int value, const arith::Requantise& q,
           const arith::QuantiserFormat& format);

// Requantises one output's exact sum, or its float sum with the bias. Counts it, applies the activation and stores it.
void store(Result& result, std::size_t at, std::int64_t sum, const Layer& layer, const arith::Requantise& q,
           const arith::QuantiserFormat& format);
void store(Result& result, std::size_t at, float sum, const Layer& layer);

// conv and fc with coded weights or activations of more than 8 bits: run_coded sums integers, run_rounded sums in
// kernels that round, run_float_sum sums floats.
void run_coded(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result);
void run_rounded(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in,
                 const arith::KernelSums& kernels, Result& result);
void run_float_sum(const Layer& layer, const Tensor& in, Result& result);

// run_floating computes a layer that has a FloatStage, run_single one that has a SingleStage.
Tensor run_floating(const Layer& layer, const Tensor& in);
Tensor run_single(const Layer& layer, const Tensor& in, const Tensor* with);
void run_single_sum(const Layer& layer, const Tensor& in, Tensor& out);

void run_maxpool(const Layer& layer, const Tensor& in, Tensor& out);
void run_avgpool(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result);
void run_lstm(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result);
void run_gru(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result);
void run_function(const Layer& layer, const Tensor& in, const Tensor* with, Tensor& out);
void run_softmax(const Layer& layer, const Tensor& in, Tensor& out);
void run_vision(const Layer& layer, const Tensor& in, const Tensor& with, Tensor& out);

}  // namespace fansim::network
