// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contract/program.h"
#include "network/network.h"

namespace fansim::runs {

// Reads a layer's output from DDR, in C,H,W or steps,features order.
network::Tensor read_output(const network::Layer& layer, const contract::LayerPlan& plan, const std::uint8_t* ddr);

// Returns FNV-1a of the bytes in 16 hexadecimal digits.
std::string hash_of(const network::Tensor& tensor);

// Throws UserError if a file of that name cannot hold the layer's output. A file with the suffix .npy, or without one,
// holds any output; an image file holds what its format allows.
void check_output_name(const std::string& path, const network::Layer& layer);
// Writes .npy or an image, as the file's name says. Throws UserError if it cannot be written.
void write_output(const std::string& path, const network::Tensor& tensor);

// Returns the file names for a layer's output: .npy, and an image if it is one.
std::vector<std::string> dump_names(const std::string& layer, const network::Shape& shape,
                                    const network::NumberFormat& format);
// Writes the files of those names.
void dump(const std::string& folder, const std::string& layer, const network::Tensor& tensor);

// Returns the first value in which they differ: "output differs at (1, 2, 3): simulated 5, reference 6".
std::optional<std::string> first_difference(const network::Tensor& simulated, const network::Tensor& reference);

}  // namespace fansim::runs
