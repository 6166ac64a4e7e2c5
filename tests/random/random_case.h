// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fansim::test {

// A machine and a network for both engines: a shipped configuration with settings, and layers of which any that no
// other reads may be left out.
struct Case {
  std::string base;                   // "configs/systems/..."
  std::vector<std::string> settings;  // key.path=value
  std::string list = "layers";        // of a pipeline "stages"
  std::string input;                  // of the network
  std::vector<std::string> layers;    // a layer, or one and the pooling behind it

  std::string body() const;                                   // of the network's file, behind its version and name
  std::string network() const;                                // the whole file
  std::string replay(const std::string& network_file) const;  // the command

  // As a file of tests/accelerators/cases, which stays what it is when the generators draw otherwise; `why` says what
  // it shows.
  std::string file(const std::string& why) const;
  static Case read(const std::string& path);
};

Case random_stream_case(std::uint64_t seed);
Case random_tiled_case(std::uint64_t seed);
Case random_vision_case(std::uint64_t seed);
Case random_trainer_case(std::uint64_t seed);
Case random_decoupled_case(std::uint64_t seed);

// Layers that a host computes between those of the accelerator, which reads them: functions, and beside them those of
// `others` ("relu", "maxpool"...). The network's input has a step and 12 channels. A stream of draws of its own.
void add_host_layers(std::uint64_t seed, const std::vector<std::string>& others, Case& c);

// Functions behind what a code table can stand behind, convolutions, fully connected layers and `others`, with codes of
// their own, and poolings behind those.
void add_looked_up_layers(std::uint64_t seed, const std::vector<std::string>& others, Case& c);

// Sums of maps in two number formats, of which one may be the network's input, and what reads them: a stream of draws
// of its own. `formats`: any that 8 bits have, else int8 about 0.
void add_sums(std::uint64_t seed, bool formats, Case& c);

// Concatenations of maps of the network's input, often of channels that fill what the machine writes at once, whose
// parts and wholes are read: a stream of draws of its own.
void add_concatenations(std::uint64_t seed, Case& c);

}  // namespace fansim::test
