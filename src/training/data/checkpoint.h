// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fansim::training {

struct LayerWeights {
  std::string layer;
  std::vector<std::uint32_t> words;  // in single precision
};

// Holds what was measured after an epoch.
struct Epoch {
  double accuracy_percent = 0;  // on the held-out images
  double loss = 0;              // mean cross entropy during training
};

// Holds what a training leaves: everything that is needed to continue it with the same bytes, or to classify.
struct Checkpoint {
  std::string build;            // of the program; empty: the file is of version 1, which does not name it
  std::string network, design;  // the network's name; the machine's arithmetic in words
  std::string data;             // where the images came from
  std::uint64_t seed = 0;
  std::int64_t images = 0;   // number trained so far
  double loss_of_epoch = 0;  // sum over the images of the current epoch
  std::vector<Epoch> epochs;
  std::int64_t saturations = 0, underflows = 0;
  std::int64_t cycles = 0;  // sum over all training images
  std::vector<LayerWeights> weights;
};

// Throws UserError if there is no such file, if it is no checkpoint, or if something in it is impossible. Reads the
// files of earlier versions too.
Checkpoint read_checkpoint(const std::string& path);
// Replaces the file atomically.
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);

// Manages the file of a checkpoint that a training writes again and again.
class CheckpointFile {
 public:
  explicit CheckpointFile(std::string path);
  // Throws UserError if another process has written the file since this object last wrote it or was constructed.
  void write(const Checkpoint& checkpoint);

 private:
  using Version = std::array<std::int64_t, 4>;  // device, inode, modification time in s and ns; zeros: no file
  static Version version_of(const std::string& path);

  const std::string path_;
  Version seen_;
};

}  // namespace fansim::training
