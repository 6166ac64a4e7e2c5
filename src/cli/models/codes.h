// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.h"
#include "post_training/code_network.h"

namespace fansim::cli {

// Add the options that say how floats become codes, and tell whether one other than `calibrate` is given.
void add_code_options(Options& options);
bool has_code_options(const Options& options);
// Returns the coders that the options ask for: all methods unless some are named. The coders point into `methods`.
std::vector<post_training::Coder> coders_of(const Options& options, const arith::QuantisationMethods& methods);

// Writes a network of floats in each coder's codes, FOLDER/METHOD/network.yaml, and a table of what each method loses.
// There is no table if the network has its formats and `calibration` is empty.
void write_codes(const std::string& file, const std::string& calibration, const std::string& folder,
                 const std::vector<post_training::Coder>& coders, const std::string& json, const std::string& csv);

}  // namespace fansim::cli
