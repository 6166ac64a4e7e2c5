// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>

#include "accelerators/stream/compile/weights.h"
#include "base/interrupt.h"

namespace fansim::stream {
namespace {

constexpr std::size_t kTile = 8;  // bytes of a word of eight lanes, and words that are turned at once

// Words one behind the other whose lanes lie `stride` elements of a row apart, each word's `step` behind the last's.
// Of others, and of those that meet padding, a run is one word and `stride` 0.
struct WordRun {
  std::size_t first, words;
  std::int64_t element, stride, step;
};

std::vector<WordRun> runs_of(const std::vector<std::int32_t>& columns, std::size_t lanes) {
  std::vector<WordRun> runs;
  for (std::size_t w = 0; w < columns.size() / lanes; ++w) {
    const std::int32_t* word = &columns[w * lanes];
    std::int64_t stride = lanes > 1 ? std::int64_t{word[1]} - word[0] : 1;
    for (std::size_t l = 0; l < lanes; ++l)
      if (word[l] < 0 || word[l] != word[0] + static_cast<std::int64_t>(l) * stride) stride = 0;
    if (stride > 0 && !runs.empty() && runs.back().stride == stride) {
      WordRun& last = runs.back();
      const std::int64_t step = word[0] - last.element;
      if (last.words == 1) last.step = step;
      if (step == last.step * static_cast<std::int64_t>(last.words)) {
        ++last.words;
        continue;
      }
    }
    runs.push_back({w, 1, word[0], stride, 0});
  }
  return runs;
}

// Eight rows of eight bytes, little-endian, to their columns.
std::array<std::uint64_t, kTile> turned(std::array<std::uint64_t, kTile> rows) {
  const auto exchange = [&rows](std::size_t apart, unsigned shift, std::uint64_t mask) {
    for (std::size_t i = 0; i < kTile; ++i) {
      if ((i & apart) != 0) continue;
      const std::uint64_t differing = (rows[i] >> shift ^ rows[i + apart]) & mask;
      rows[i] ^= differing << shift, rows[i + apart] ^= differing;
    }
  };
  exchange(1, 8, 0x00ff00ff00ff00ff), exchange(2, 16, 0x0000ffff0000ffff), exchange(4, 32, 0x00000000ffffffff);
  return rows;
}

// A matrix's rows, each as the words of the vector that it meets.
class RowPacker {
 public:
  RowPacker(const std::vector<std::int32_t>& columns, const ArrayConfig& array, int row_bytes, int groups)
      : columns_(columns),
        lanes_(static_cast<std::size_t>(array.input_channels)),
        value_bytes_(static_cast<std::size_t>(array.weight_bytes())),
        runs_(runs_of(columns, lanes_)) {
    const auto taps = static_cast<std::size_t>(array.taps()), cols = static_cast<std::size_t>(array.cols);
    const auto pitch = static_cast<std::size_t>(row_bytes);
    for (std::size_t w = 0; w < columns.size() / lanes_; ++w)
      places_.push_back((w / taps * static_cast<std::size_t>(groups) * cols + w % cols) * pitch +
                        w % taps / cols * lanes_ * value_bytes_);
  }

  void pack(const Weights& from, std::uint8_t* to) const {
    const bool bytes = value_bytes_ == 1 && from.bits == 8;
    for (const WordRun& run : runs_) {
      std::size_t done = 0;
      if (bytes && run.stride > 0 && run.step == 1 && lanes_ == kTile)
        for (; done + kTile <= run.words; done += kTile) turn(from, run, done, to);
      for (; done < run.words; ++done) {
        std::uint8_t* word = to + places_[run.first + done];
        if (bytes && run.stride == 1)
          std::memcpy(word, from.bytes + run.element + static_cast<std::int64_t>(done) * run.step, lanes_);
        else
          gather(from, run.first + done, word);
      }
    }
  }

 private:
  void turn(const Weights& from, const WordRun& run, std::size_t done, std::uint8_t* to) const {
    std::array<std::uint64_t, kTile> tile;
    const std::int8_t* first = from.bytes + run.element + static_cast<std::int64_t>(done);
    for (std::size_t l = 0; l < kTile; ++l)
      std::memcpy(&tile[l], first + static_cast<std::int64_t>(l) * run.stride, sizeof tile[l]);
    tile = turned(tile);
    for (std::size_t w = 0; w < kTile; ++w) std::memcpy(to + places_[run.first + done + w], &tile[w], sizeof tile[w]);
  }

  void gather(const Weights& from, std::size_t word, std::uint8_t* to) const {
    for (std::size_t l = 0; l < lanes_; ++l) {
      const std::int32_t column = columns_[word * lanes_ + l];
      put(to + l * value_bytes_, column < 0 ? 0 : from[column], static_cast<int>(value_bytes_));
    }
  }

  const std::vector<std::int32_t>& columns_;
  const std::size_t lanes_, value_bytes_;
  const std::vector<WordRun> runs_;
  std::vector<std::size_t> places_;  // of each word, from where its block's first group and row begin
};

}  // namespace

void pack_matrix(const MatrixRow& row, const std::vector<std::int32_t>& columns, const ArrayConfig& array,
                 int row_bytes, int groups, std::uint8_t* to) {
  const RowPacker packer(columns, array, row_bytes, groups);
  const std::int64_t group_bytes = std::int64_t{array.cols} * row_bytes;
  const std::int64_t rows_bytes = std::int64_t{array.rows} * array.input_channels * array.weight_bytes();
  for (int group = 0; group < groups; ++group) {
    base::stop_if_interrupted();
    for (int o = 0; o < array.output_channels; ++o)
      if (const Weights from = row(group, o)) packer.pack(from, to + group * group_bytes + o * rows_bytes);
  }
}

}  // namespace fansim::stream
