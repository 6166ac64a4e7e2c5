// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "contract/program.h"
#include "network/network.h"

namespace fansim::runs {

// A layer's output as it lies in DDR, in C,H,W or steps,features order.
network::Tensor read_output(const network::Layer& layer, const contract::LayerPlan& plan, const std::uint8_t* ddr);

// FNV-1a of the bytes, 16 hexadecimal digits.
std::string hash_of(const network::Tensor& tensor);

std::string dump_name(const std::string& layer);
// Writes the file of that name.
void dump(const std::string& folder, const std::string& layer, const network::Tensor& tensor);

// The first value in which they differ: "output differs at (1, 2, 3): simulated 5, reference 6".
std::optional<std::string> first_difference(const network::Tensor& simulated, const network::Tensor& reference);

}  // namespace fansim::runs
