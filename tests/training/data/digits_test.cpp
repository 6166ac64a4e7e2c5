// SPDX-License-Identifier: Apache-2.0
#include "training/data/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/npy.h"
#include "base/random.h"
#include "support/user_error.h"

namespace fansim::digits_test {

namespace {

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

std::string idx(const std::vector<std::uint32_t>& extents, const std::string& data) {
  std::string file{'\0', '\0', '\x08', static_cast<char>(extents.size())};
  for (const std::uint32_t extent : extents) file += big_endian(extent);
  return file + data;
}

// Writes MNIST's files, with three images of 2 x 2 pixels to learn and one held out.
struct Idx : test::ScratchDirectory {
  Idx() {
    base::write_file(*this / "train-images-idx3-ubyte", idx({3, 2, 2}, "abcdefghijkl"));
    base::write_file(*this / "train-labels-idx1-ubyte", idx({3}, std::string{'\1', '\2', '\3'}));
    base::write_file(*this / "t10k-images.idx3-ubyte", idx({1, 2, 2}, "mnop"));
    base::write_file(*this / "t10k-labels.idx1-ubyte", idx({1}, std::string{'\7'}));
  }
  std::string refusal() const {
    try {
      training::read_directory(path());
      return "";
    } catch (const base::UserError& error) {
      return error.what();
    }
  }
};

// The share that the nearest of ten mean pictures reads: no trivial task, and none without hope.
double nearest_mean(const training::DataSet& set) {
  constexpr std::size_t kPixels = 28 * 28;
  std::array<std::array<double, kPixels>, 10> mean{};
  std::array<double, 10> count{};
  for (std::size_t i = 0; i < set.train.size(); ++i) {
    ++count[set.train.labels[i]];
    for (std::size_t p = 0; p < kPixels; ++p) mean[set.train.labels[i]][p] += set.train.pixels[i * kPixels + p];
  }
  int right = 0;
  for (std::size_t i = 0; i < set.test.size(); ++i) {
    std::array<double, 10> distance{};
    for (std::size_t digit = 0; digit < 10; ++digit)
      for (std::size_t p = 0; p < kPixels; ++p) {
        const double d = mean[digit][p] / count[digit] - set.test.pixels[i * kPixels + p];
        distance[digit] += d * d;
      }
    right += std::min_element(distance.begin(), distance.end()) - distance.begin() == set.test.labels[i];
  }
  return static_cast<double>(right) / static_cast<double>(set.test.size());
}

}  // namespace

TEST_CASE("digits are the same for a seed and others for another") {
  const training::DataSet a = training::drawn_digits(1, 40, 10), b = training::drawn_digits(1, 40, 10),
                          c = training::drawn_digits(2, 40, 10);
  CHECK((a.train.pixels == b.train.pixels && a.train.labels == b.train.labels && a.test.pixels == b.test.pixels));
  CHECK(a.train.pixels != c.train.pixels);
  CHECK(a.train.pixels.size() == 40 * 28 * 28);
  CHECK(std::vector<std::uint8_t>(a.train.pixels.begin(), a.train.pixels.begin() + 28 * 28 * 10) != a.test.pixels);
  // Wherever they are drawn.
  CHECK(base::Fnv1a().add(a.train.pixels.data(), a.train.pixels.size()).text() == "620064d7c74b7079");
}

TEST_CASE("drawn digits are all there and neither trivial nor without hope") {
  const training::DataSet set = training::drawn_digits(3, 1000, 300);
  std::array<int, 10> count{};
  for (const std::uint8_t label : set.train.labels) ++count.at(label);
  CHECK(*std::min_element(count.begin(), count.end()) >= 60);
  const double right = nearest_mean(set);
  CHECK(right > 0.5);
  CHECK(right < 0.9);
}

TEST_CASE("IDX files are read under MNIST's names with a dash or a dot") {
  const Idx files;
  const training::DataSet set = training::read_directory(files.path());
  CHECK((set.train.height == 2 && set.train.width == 2 && set.train.size() == 3 && set.test.size() == 1));
  CHECK(std::string(set.train.pixels.begin(), set.train.pixels.end()) == "abcdefghijkl");
  CHECK(set.train.labels == std::vector<std::uint8_t>{1, 2, 3});
  CHECK(set.test.labels == std::vector<std::uint8_t>{7});
}

TEST_CASE(".npy files are read as well") {
  const test::ScratchDirectory folder;
  base::write_npy<std::uint8_t>(folder / "train_images.npy", {2, 1, 3}, {1, 2, 3, 4, 5, 6});
  base::write_npy<std::uint8_t>(folder / "train_labels.npy", {2}, {0, 9});
  base::write_npy<std::uint8_t>(folder / "test_images.npy", {1, 1, 3}, {7, 8, 9});
  base::write_npy<std::uint8_t>(folder / "test_labels.npy", {1}, {4});
  const training::DataSet set = training::read_directory(folder.path());
  CHECK((set.train.height == 1 && set.train.width == 3 && set.train.size() == 2));
  CHECK(set.test.pixels == std::vector<std::uint8_t>{7, 8, 9});
}

TEST_CASE("files that are not what they say are refused with their name and the reason") {
  const Idx files;
  const std::string images = files / "train-images-idx3-ubyte", labels = files / "train-labels-idx1-ubyte";
  const auto refused = [&](const std::string& path, const std::string& content, const char* reason) {
    const std::string before = base::read_file(path);
    base::write_file(path, content);
    CHECK_THAT(files.refusal(), Catch::Contains(path));
    CHECK_THAT(files.refusal(), Catch::Contains(reason));
    base::write_file(path, before);
  };
  refused(images, "", "begins with two zeros");
  refused(images, "P5 28 28", "begins with two zeros");
  refused(images, std::string("\0\0\x0d\x03", 4) + std::string(16, '\1'), "of type 0x0d");
  refused(images, idx({3, 4}, std::string(12, 'x')), "2 extents; expected 3");
  refused(images, std::string("\0\0\x08\x03\0", 5), "the header is not whole");
  refused(images, idx({0, 2, 2}, ""), "an extent of 0");
  refused(images, idx({3, 2, 2}, "abc"), "truncated");
  refused(images, idx({3, 2, 2}, std::string(13, 'x')), "too long");
  refused(images, idx({0xffffffff, 0xffffffff, 0xffffffff}, "abcdefghijkl"), "truncated");
  refused(images, idx({3, 1, 2048}, std::string(3 * 2048, 'x')), "at most 1024 x 1024");
  refused(labels, idx({2}, std::string{'\1', '\2'}), "2 labels of 3 images");
  refused(labels, idx({3}, std::string{'\1', '\2', '\x0a'}), "label 2 is 10; allowed: 0..9");
  base::write_file(files / "t10k-images.idx3-ubyte", idx({1, 2, 3}, "mnopqr"));
  CHECK_THAT(files.refusal(), Catch::Contains("held out of 2 x 3"));
  base::write_file(files / "t10k-images.idx3-ubyte", idx({1, 2, 2}, "mnop"));
  CHECK(files.refusal().empty());
  std::remove(labels.c_str());
  CHECK_THAT(files.refusal(), Catch::Contains("no train-images-idx3-ubyte and train-labels-idx1-ubyte"));
}

TEST_CASE("files with a few bytes changed are read or refused and nothing else") {
  const Idx files;
  const std::string images = files / "train-images-idx3-ubyte", good = base::read_file(images);
  base::Random random(Catch::rngSeed());
  CAPTURE(Catch::rngSeed());
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    std::string bad = good;
    for (int change = random.uniform(1, 4); change > 0; --change)
      bad[static_cast<std::size_t>(random.uniform(0, static_cast<int>(bad.size()) - 1))] =
          static_cast<char>(random.uniform(0, 255));
    if (random.chance(30)) bad.resize(static_cast<std::size_t>(random.uniform(0, static_cast<int>(bad.size()))));
    base::write_file(images, bad);
    refused += !files.refusal().empty();
  }
  CHECK(refused > 100);
}

}  // namespace fansim::digits_test
