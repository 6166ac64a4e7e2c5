// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/npy.h"
#include "training/data/digits.h"

namespace fansim::training {
namespace {

constexpr std::size_t kLargest = std::size_t{1} << 30;  // bytes of a file
constexpr int kDigits = 10;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw base::UserError(base::Location{path, 0, 0}, what);
}

struct Extents {
  std::vector<std::int64_t> of;
  std::vector<std::uint8_t> bytes;
};

// Reads the IDX format: 0, 0, 8 for unsigned bytes, the number of extents, then each extent in four bytes, the most
// significant first, then the data.
Extents read_idx(const std::string& path, std::size_t extents) {
  const std::string file = base::read_file(path, kLargest);
  const auto byte = [&file](std::size_t i) { return static_cast<std::uint8_t>(file[i]); };
  const std::size_t header = 4 + 4 * extents;
  if (file.size() < 4 || byte(0) != 0 || byte(1) != 0) fail(path, "no IDX file: it begins with two zeros");
  if (byte(2) != 8) fail(path, fmt::format("of type {:#04x}; expected bytes without sign, 0x08", byte(2)));
  if (byte(3) != extents) fail(path, fmt::format("{} extents; expected {}", byte(3), extents));
  if (file.size() < header) fail(path, "truncated: the header is not whole");
  Extents read;
  std::size_t left = file.size() - header;
  for (std::size_t e = 0; e < extents; ++e) {
    std::int64_t extent = 0;
    for (std::size_t i = 0; i < 4; ++i) extent = extent << 8 | byte(4 + 4 * e + i);
    if (extent == 0) fail(path, "empty: an extent of 0");
    read.of.push_back(extent);
    left /= static_cast<std::size_t>(extent);
  }
  std::string shape = base::shape_text(read.of);
  if (left == 0) fail(path, fmt::format("truncated: {} of bytes, but {} follow", shape, file.size() - header));
  std::size_t said = 1;
  for (const std::int64_t extent : read.of) said *= static_cast<std::size_t>(extent);
  if (said != file.size() - header)
    fail(path, fmt::format("too long: {} of bytes, but {} follow", shape, file.size() - header));
  read.bytes.assign(file.begin() + static_cast<std::ptrdiff_t>(header), file.end());
  return read;
}

Extents read_npy(const std::string& path, std::size_t extents) {
  base::NpyBytes read = base::read_npy_bytes(path, extents);
  return {read.shape, std::move(read.values)};
}

Labelled labelled(const std::string& images_path, Extents images, const std::string& labels_path, Extents labels) {
  constexpr std::int64_t kMostSide = 1024;
  if (images.of[1] > kMostSide || images.of[2] > kMostSide)
    fail(images_path,
         fmt::format("pictures of {} x {}; at most {} x {}", images.of[1], images.of[2], kMostSide, kMostSide));
  if (images.of[0] != labels.of[0])
    fail(labels_path, fmt::format("{} labels of {} images", labels.of[0], images.of[0]));
  for (std::size_t i = 0; i < labels.bytes.size(); ++i)
    if (labels.bytes[i] >= kDigits) fail(labels_path, fmt::format("label {} is {}; allowed: 0..9", i, labels.bytes[i]));
  return {static_cast<int>(images.of[1]), static_cast<int>(images.of[2]), std::move(images.bytes),
          std::move(labels.bytes)};
}

// Returns the name of MNIST's file that exists: "train-images-idx3-ubyte", or the name with a dot.
std::string idx_name(const std::string& folder, const std::string& stem, int extents) {
  for (const char* dash : {"-", "."}) {
    std::string path = fmt::format("{}/{}{}idx{}-ubyte", folder, stem, dash, extents);
    if (base::exists(path)) return path;
  }
  return "";
}

Labelled read_set(const std::string& folder, const std::string& idx, const std::string& npy) {
  const std::string images = idx_name(folder, idx + "-images", 3), labels = idx_name(folder, idx + "-labels", 1);
  if (!images.empty() && !labels.empty()) return labelled(images, read_idx(images, 3), labels, read_idx(labels, 1));
  const std::string npy_images = fmt::format("{}/{}_images.npy", folder, npy);
  const std::string npy_labels = fmt::format("{}/{}_labels.npy", folder, npy);
  if (!base::exists(npy_images) || !base::exists(npy_labels))
    fail(folder, fmt::format("no {0}-images-idx3-ubyte and {0}-labels-idx1-ubyte, and no {1}_images.npy and "
                             "{1}_labels.npy in this folder",
                             idx, npy));
  return labelled(npy_images, read_npy(npy_images, 3), npy_labels, read_npy(npy_labels, 1));
}

}  // namespace

DataSet read_directory(const std::string& path) {
  DataSet set{read_set(path, "train", "train"), read_set(path, "t10k", "test"), ""};
  if (set.train.height != set.test.height || set.train.width != set.test.width)
    fail(path, fmt::format("pictures to learn of {} x {}, held out of {} x {}", set.train.height, set.train.width,
                           set.test.height, set.test.width));
  set.source = fmt::format("{} images of {}, {} held out", set.train.size(), path, set.test.size());
  return set;
}

}  // namespace fansim::training
