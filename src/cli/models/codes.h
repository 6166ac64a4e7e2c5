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
// Returns the coders that the options ask for: all methods unless some are named, or that of the machine that --for
// names. The coders point into `methods`.
std::vector<post_training::Coder> coders_of(const Options& options, const arith::QuantisationMethods& methods);

// Returns the name of the machine of --for; empty: none.
std::string machine_name(const Options& options);

// Says how a network of floats becomes codes, and where these go.
struct Codes {
  std::string file;         // the network of floats
  std::string calibration;  // .npy in float32; empty: the network has its formats
  std::string folder;
  std::vector<post_training::Coder> coders;
  std::string json = "", csv = "";  // files of the figures; empty: none
  std::string machine = "";         // name of the machine of --for; empty: none
};

// Writes a network of floats in each coder's codes, FOLDER/METHOD/network.yaml, and a table of what each method loses.
// There is no table without calibration data. For a machine some inputs are kept back, and the machine's top-1
// agreement on these is printed with the layer that adds most noise if it is below 95 %.
void write_codes(const Codes& codes);

}  // namespace fansim::cli
