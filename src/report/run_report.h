// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch/device.h"
#include "arch/resources.h"
#include "arch/result.h"

namespace fansim::report {

struct Tool {
  std::string version;
  std::string command;
};

struct Named {
  std::string name;
  std::string hash;
};

// Everything a run has to say; the writers below only lay it out.
struct RunReport {
  Tool tool;
  Named config;
  Named network;
  std::string engine;
  std::uint64_t seed = 1;
  double clock_hz = 0;
  int macs_per_cycle = 0;
  std::vector<arch::LayerResult> layers;
  arch::Resources resources;
  arch::Device device;
  std::string memory;                // a line on the memory's model; may be empty
  std::vector<std::string> misfits;  // "BRAM36 1024 of 912"; empty: the design fits
  double fmax_hz = 0;
  double power_w = 0;
  std::optional<bool> verified;  // empty: not compared
};

// Sums over the layers; name, type and hash are empty.
arch::LayerResult total(const RunReport& report);

// What follows from a layer's counts.
struct Rates {
  std::int64_t ops = 0;  // 2 per multiply-accumulate
  double seconds = 0;
  double gops = 0;
  double mac_utilisation = 0;  // share of all multipliers' cycles
  double read_gb_per_s = 0, write_gb_per_s = 0;
};
Rates rates(const arch::LayerResult& layer, const RunReport& report);

// A table for people; its first line is the answer.
std::string text(const RunReport& report);
// Schema version 1.
std::string json(const RunReport& report);
// One row per layer.
std::string csv(const RunReport& report);

}  // namespace fansim::report
