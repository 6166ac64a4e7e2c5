// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::cli {

// The arguments after the subcommand's name; returns an ExitCode.
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
int drive_ddr(const Arguments& arguments);    // drive, when its first argument is "ddr"
int drive_ports(const Arguments& arguments);  // the same of "ports"

// Words that an argument may be: of describe, of reproduce.
std::vector<std::string> described_words();
std::vector<std::string> paper_words();

}  // namespace fansim::cli
