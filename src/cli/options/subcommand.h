// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::cli {

// Each subcommand takes the arguments after its name and returns an ExitCode.
using Arguments = std::vector<std::string>;

int run(const Arguments& arguments);
int train(const Arguments& arguments);
int estimate(const Arguments& arguments);
int calibrate(const Arguments& arguments);
int quantise(const Arguments& arguments);
int quality(const Arguments& arguments);
int import_model(const Arguments& arguments);
int reproduce(const Arguments& arguments);
int describe(const Arguments& arguments);
int list(const Arguments& arguments);
int explore(const Arguments& arguments);
int compare(const Arguments& arguments);
int sweep(const Arguments& arguments);
int inject_faults(const Arguments& arguments);
int drive(const Arguments& arguments);
int drive_ddr(const Arguments& arguments);    // runs `drive` when its first argument is "ddr"
int drive_ports(const Arguments& arguments);  // runs `drive` when its first argument is "ports"

// Return the words that an argument of describe or reproduce may be.
std::vector<std::string> described_words();
std::vector<std::string> paper_words();

}  // namespace fansim::cli
