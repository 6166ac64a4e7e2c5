// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "runs/run.h"

namespace fansim::papers {

// Runs AlexNet, timing only, on one of FAQ-CNN's builds (configs/systems/faq_zcu102_BUILD.yaml).
class FaqSimulation {
 public:
  // Holds what a load stage did in a layer. A tile's cycles last from its first request to its last data.
  struct Load {
    double tiles = 0, beats = 0, cycles = 0;
    double cycles_per_tile() const { return cycles / tiles; }
  };

  static constexpr const char* kConvolutions[] = {"conv1", "conv2", "conv3", "conv4", "conv5"};
  static constexpr const char* kFullyConnected[] = {"fc6", "fc7", "fc8"};
  static constexpr double kClockHz = 200e6;

  FaqSimulation(const std::string& build, const std::vector<std::string>& settings, const std::string& layers = "");

  double cycles(const std::string& name) const { return static_cast<double>(run_.layer(name).cycles); }
  double seconds(const std::string& name) const { return run_.seconds(run_.layer(name).cycles); }
  double macs(const std::string& name) const { return static_cast<double>(run_.layer(name).macs); }
  // Returns the number of edges at which the engine takes a point.
  double computing(const std::string& name) const;
  double computing_per_tile(const std::string& name) const;
  Load inputs(const std::string& name) const { return load(name, "load_input"); }
  // Counts the beats of the layer's parameters too, but not their tiles and cycles.
  Load weights(const std::string& name) const { return load(name, "load_weights"); }

 private:
  Load load(const std::string& name, const char* stage) const;

  runs::Run run_;
};

}  // namespace fansim::papers
