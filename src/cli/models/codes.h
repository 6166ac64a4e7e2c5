// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "calibration/code_network.h"
#include "cli/options/options.h"

namespace fansim::cli {

// Options that say how floats become codes, and whether any is given but `calibrate`.
void add_code_options(Options& options);
bool has_code_options(const Options& options);
// What they ask for; all methods unless named. Coders stay with `methods`.
std::vector<calibration::Coder> coders_of(const Options& options, const arith::QuantisationMethods& methods);

// A network of floats in each coder's codes, FOLDER/METHOD/network.yaml, and what each loses as a table; none, where
// the network has its formats and `calibration` is empty.
void write_codes(const std::string& file, const std::string& calibration, const std::string& folder,
                 const std::vector<calibration::Coder>& coders, const std::string& json, const std::string& csv);

}  // namespace fansim::cli
