// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/simulate.h"
#include "network/network.h"
#include "sim/waveform.h"

namespace fansim::cli {

// What `fansim run` was asked for.
struct RunOptions {
  std::string config, network;
  std::vector<std::string> overrides;
  std::string layers;            // "A,B..C"; empty: all
  std::optional<Engine> engine;  // if given
  bool cross_check = false;
  bool timing_only = false;
  bool verify = false;
  std::uint64_t seed = 1;
  std::string input, dump_folder;
  std::string json, csv;
  std::string vcd, vcd_layer;
  bool vcd_windowed = false;
  sim::WaveformWindow vcd_window;
  bool help = false;  // shown: nothing to run

  static RunOptions parse(const std::vector<std::string>& arguments);
};

// The indices that "conv1,conv3..fc1" names, rising; empty text: none named.
std::vector<int> select_layers(const network::Network& network, const std::string& text);

}  // namespace fansim::cli
