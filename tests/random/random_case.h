// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fansim::test {

// Holds a machine and a network for both engines: a shipped configuration with settings, and layers. Any layer that no
// other reads may be left out.
struct Case {
  std::string base;                   // "configs/systems/..."
  std::vector<std::string> settings;  // key.path=value
  std::string list = "layers";        // "stages" for a pipeline
  std::string input;                  // input of the network
  std::vector<std::string> layers;    // a layer, or one and the pooling behind it
  std::string only;                   // the layers that run, as --layers has them; empty: all
  int frames = 0;                     // that run back to back; 0: one

  std::string body() const;                                   // the network's file after its version and name
  std::string network() const;                                // the whole file
  std::string replay(const std::string& network_file) const;  // the command

  // As a file of tests/accelerators/cases, which stays what it is when the generators draw otherwise; `why` says what
  // it shows.
  std::string file(const std::string& why) const;
  static Case read(const std::string& path);
};

// Writes the network's file, and the biases that it names beside it.
void write_case(const Case& c, const std::string& path);

Case random_stream_case(std::uint64_t seed);
Case random_tiled_case(std::uint64_t seed);
Case random_vision_case(std::uint64_t seed);
Case random_trainer_case(std::uint64_t seed);
Case random_decoupled_case(std::uint64_t seed);

// Draws what the memory leaves of its ports' beats: a share, and a data path narrower than a port. The draws come from
// a stream of their own.
void add_share(std::uint64_t seed, Case& c);

// Returns the settings of a banked memory with one of the shipped parts, drawn from a stream of its own.
std::vector<std::string> banked_settings(std::uint64_t seed);

// Adds layers that a host computes between those of the accelerator, which reads them: functions, and also those of
// `others` ("relu", "maxpool"...). The network's input has a step and 12 channels. The draws come from a stream of
// their own.
void add_host_layers(std::uint64_t seed, const std::vector<std::string>& others, Case& c);

// Functions behind what a code table can stand behind, convolutions, fully connected layers and `others`, with codes of
// their own, and poolings behind those.
void add_looked_up_layers(std::uint64_t seed, const std::vector<std::string>& others, Case& c);

// Sums of maps in two number formats, of which one may be the network's input, and what reads them: a stream of draws
// of its own. `formats`: any that 8 bits have, else int8 about 0.
void add_sums(std::uint64_t seed, bool formats, Case& c);

// Adds, now and then, what a user may ask for and few do: scales and biases of the network's own from anywhere in their
// range, borders on maps of one value, concatenations of different steps, tables behind sums, pictures of other sizes,
// frames, some of the layers alone. The draws come from a stream of their own.
void add_extremes(std::uint64_t seed, Case& c);

// Draws a clock if the settings have none. Gives some of the costs among them as times, or sums of times and cycles,
// which are as many cycles of the clock as before. The draws come from a stream of their own.
void give_costs_as_times(std::uint64_t seed, Case& c);

// Adds concatenations of maps of the network's input, often with channels that fill what the machine writes at once;
// their parts and the whole are read. The draws come from a stream of their own.
void add_concatenations(std::uint64_t seed, Case& c);

}  // namespace fansim::test
