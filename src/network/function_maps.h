// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "network/function.h"

// What apply() does with whole maps. `out` is the output's shape.
namespace fansim::network {

std::vector<double> normalised(const FunctionStage& stage, const Shape& in, const std::vector<double>& values);
std::vector<double> enlarged(const FunctionStage& stage, const Shape& in, const Shape& out,
                             const std::vector<double>& values);
std::vector<double> deepened(const FunctionStage& stage, const Shape& in, const Shape& out,
                             const std::vector<double>& values);
std::vector<double> interpolated(const FunctionStage& stage, const Shape& in, const Shape& out,
                                 const std::vector<double>& values);
std::vector<double> pooled(const FunctionStage& stage, const Shape& in, const Shape& out,
                           const std::vector<double>& values);

}  // namespace fansim::network
