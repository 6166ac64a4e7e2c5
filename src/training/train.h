// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accelerators/accelerator.h"
#include "checkpoint/checkpoint.h"
#include "compile/compile.h"
#include "contract/result.h"
#include "network/network.h"
#include "runs/run.h"

namespace fansim::training {

// Pictures of one size, one after the other, a byte a pixel, and what each shows.
struct Pictures {
  const std::uint8_t* pixels = nullptr;
  const std::uint8_t* labels = nullptr;
  std::size_t count = 0;
};

struct Request {
  std::string config, network;  // files
  std::vector<std::string> overrides;
  std::uint64_t seed = 1;  // of the first weights, and of the order of the images

  std::string data;  // where the pictures come from, in words
  int height = 0, width = 0;
  Pictures train, test;
  int epochs = 1;
  std::string checkpoint;  // a file to go on from, if it is there, and to leave; empty: none

  runs::Engine engine = runs::Engine::fast;  // the clocked one learns everything in one go
  bool cross_check = false;
  bool verify = false;  // every weight against the reference, after every batch

  std::function<void(const checkpoint::Checkpoint&, double fraction)> on_progress;
  double every_seconds = 5;  // between checkpoints, beside those at the end of each epoch
};

struct Result {
  std::unique_ptr<accelerators::Accelerator> accelerator;
  std::string network_name, network_hash;
  std::optional<compile::Unschedulable> unschedulable;

  checkpoint::Checkpoint state;
  std::vector<std::vector<std::int64_t>> confusion;  // of the held-out pictures: [shown][read]
  contract::LayerResult training_image, inference;   // what one of each takes
  std::vector<std::string> differences;              // from the reference, and between the engines
  bool diverged = false;                             // it knows less than who guesses
  double seconds = 0;                                // of this process, while it learned
  std::int64_t learned = 0;                          // pictures, in this process

  double accuracy_percent() const;
  double clock_hz() const { return accelerator->config().clock_hz(); }
  double power_w() const;  // dynamic, of the accelerator's blocks (estimated)
  double energy_uj(const contract::LayerResult& image) const {
    return 1e6 * power_w() * static_cast<double>(image.cycles) / clock_hz();
  }
};

// Throws base::UserError, base::Interrupted; an interrupted training has left its checkpoint.
Result train(const Request& request);

}  // namespace fansim::training
