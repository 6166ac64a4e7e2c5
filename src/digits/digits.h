// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fansim::digits {

// Pictures of one size, a byte a pixel, row by row, one picture after the other, and which digit each shows.
struct Labelled {
  int height = 0, width = 0;
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint8_t> labels;

  std::size_t size() const { return labels.size(); }
};

struct DataSet {
  Labelled train, test;
  std::string source;  // where they come from, in words
};

// Digits that are drawn: strokes of several styles, turned, sheared, scaled, moved, thick or thin, with noise, 28 x 28;
// the same for a seed wherever they are drawn.
DataSet drawn(std::uint64_t seed, int train, int test);

// IDX files under MNIST's names (train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-...; a dot may stand for the
// dash before idx), or train_images.npy [N, H, W], train_labels.npy [N], test_images.npy and test_labels.npy, of uint8.
// UserError at a file that is missing or is not what it says, and at a label above 9.
DataSet read_directory(const std::string& path);

}  // namespace fansim::digits
