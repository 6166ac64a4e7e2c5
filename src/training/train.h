// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accelerators/accelerator.h"
#include "compile/compile.h"
#include "contract/result.h"
#include "network/network.h"
#include "runs/run.h"
#include "training/data/checkpoint.h"

namespace fansim::training {

// Holds images of one size, one after another, one byte per pixel, and the label of each.
struct Pictures {
  const std::uint8_t* pixels = nullptr;
  const std::uint8_t* labels = nullptr;
  std::size_t count = 0;
};

struct Request {
  std::string config, network;  // paths of files
  std::vector<std::string> overrides;
  std::uint64_t seed = 1;  // for the first weights and for the order of the images

  std::string data;  // where the images come from, in words
  int height = 0, width = 0;
  Pictures train, test;
  int epochs = 1;
  std::string checkpoint;  // the file to continue from, if it exists, and to write; empty: none

  runs::Engine engine = runs::Engine::fast;  // the clocked engine trains everything in a single run
  bool cross_check = false;
  bool verify = false;  // compares every weight with the reference after every batch

  std::function<void(const Checkpoint&, double fraction)> on_progress;
  double every_seconds = 5;  // between checkpoints, in addition to those at the end of each epoch
};

struct Result {
  std::unique_ptr<accelerators::Accelerator> accelerator;
  std::string network_name, network_hash;
  std::optional<compile::Unschedulable> unschedulable;

  Checkpoint state;
  std::vector<std::vector<std::int64_t>> confusion;  // counts of the held-out images: [shown][read]
  contract::LayerResult training_image, inference;   // cycles of one image of each kind
  std::vector<std::string> differences;              // between machine and reference, and between the engines
  bool diverged = false;                             // the network is worse than guessing
  double seconds = 0;                                // wall-clock time of training in this process
  std::int64_t learned = 0;                          // images trained in this process

  double accuracy_percent() const;
  double clock_hz() const { return accelerator->config().clock_hz(); }
  double power_w() const;  // dynamic power of the accelerator's blocks (estimated)
  double energy_uj(const contract::LayerResult& image) const {
    return 1e6 * power_w() * static_cast<double>(image.cycles) / clock_hz();
  }
};

// Throws base::UserError and base::Interrupted. An interrupted training has written its checkpoint.
Result train(const Request& request);

}  // namespace fansim::training
