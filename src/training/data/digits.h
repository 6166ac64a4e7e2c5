// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fansim::training {

// Holds images of one size, one byte per pixel, row by row, one image after another, and the digit that each shows.
struct Labelled {
  int height = 0, width = 0;
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint8_t> labels;

  std::size_t size() const { return labels.size(); }
};

struct DataSet {
  Labelled train, test;
  std::string source;  // where the images come from, in words
};

// Draws digits of 28 x 28 pixels: strokes of several styles, rotated, sheared, scaled, shifted, thick or thin, with
// noise. A seed gives the same digits on every host.
DataSet drawn_digits(std::uint64_t seed, int train, int test);

// Reads IDX files under MNIST's names (train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-...; a dot may stand for
// the dash before idx), or uint8 arrays in train_images.npy [N, H, W], train_labels.npy [N], test_images.npy and
// test_labels.npy. Throws UserError if a file is missing or malformed, or if a label is above 9.
DataSet read_directory(const std::string& path);

}  // namespace fansim::training
