// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fansim::checkpoint {

struct LayerWeights {
  std::string layer;
  std::vector<std::uint32_t> words;  // of single precision
};

// What was measured after an epoch.
struct Epoch {
  double accuracy_percent = 0;  // on the held-out images
  double loss = 0;              // mean cross entropy while it trained
};

// What a training leaves: all that it takes to go on with the same bytes, or to classify.
struct Checkpoint {
  std::string build;            // of the program; empty: of one that did not say (version 1)
  std::string network, design;  // its name; the machine's arithmetic in words
  std::string data;             // where the images came from
  std::uint64_t seed = 0;
  std::int64_t images = 0;   // trained so far
  double loss_of_epoch = 0;  // summed over the images of the epoch under way
  std::vector<Epoch> epochs;
  std::int64_t saturations = 0, underflows = 0;
  std::int64_t cycles = 0;  // of all training images
  std::vector<LayerWeights> weights;
};

// UserError if there is no such file, it is none, or something in it cannot be. Reads what earlier versions wrote.
Checkpoint read(const std::string& path);
// Replaces the file at once or not at all.
void write(const std::string& path, const Checkpoint& checkpoint);

// A checkpoint's file while a training goes on that writes it again and again.
class File {
 public:
  explicit File(std::string path);
  // UserError if another process has written it since this one last did, or began.
  void write(const Checkpoint& checkpoint);

 private:
  using Version = std::array<std::int64_t, 4>;  // device, file, when it changed; none there: zeros
  static Version version_of(const std::string& path);

  const std::string path_;
  Version seen_;
};

}  // namespace fansim::checkpoint
