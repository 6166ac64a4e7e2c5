// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>

#include "accelerators/stream/compile/weights.h"
#include "base/interrupt.h"
#include "base/units.h"
#include "base/workers.h"

namespace fansim::stream {
namespace {

constexpr std::size_t kTile = 8;  // bytes of a word with eight lanes; number of words that are transposed at a time

// Consecutive words whose lanes lie `stride` elements of a row apart; each word begins `step` elements after the last.
// A word with other distances, or with padding, is a piece of its own with a `stride` of 0.
struct StridedWords {
  std::size_t first, words;
  std::int64_t element, stride, step;
};

std::vector<StridedWords> pieces_of(const std::vector<std::int32_t>& columns, std::size_t lanes) {
  std::vector<StridedWords> pieces;
  for (std::size_t w = 0; w < columns.size() / lanes; ++w) {
    const std::int32_t* word = &columns[w * lanes];
    std::int64_t stride = lanes > 1 ? std::int64_t{word[1]} - word[0] : 1;
    for (std::size_t l = 0; l < lanes; ++l)
      if (word[l] < 0 || word[l] != word[0] + static_cast<std::int64_t>(l) * stride) stride = 0;
    if (stride > 0 && !pieces.empty() && pieces.back().stride == stride) {
      StridedWords& last = pieces.back();
      const std::int64_t step = word[0] - last.element;
      if (last.words == 1) last.step = step;
      if (step == last.step * static_cast<std::int64_t>(last.words)) {
        ++last.words;
        continue;
      }
    }
    pieces.push_back({w, 1, word[0], stride, 0});
  }
  return pieces;
}

using Tile = std::array<std::uint8_t, kTile * kTile>;

// Interleaves the bytes of the two halves. Doing that three times transposes eight rows of eight bytes.
Tile shuffled(const Tile& rows) {
  constexpr std::size_t kHalf = kTile * kTile / 2;
  Tile both;
  for (std::size_t i = 0; i < kHalf; ++i) {
    both[2 * i] = rows[i];
    both[2 * i + 1] = rows[kHalf + i];
  }
  return both;
}

// Packs a matrix's rows in the order of the vector's words.
class RowPacker {
 public:
  // Packs a tile of `groups` groups.
  RowPacker(const std::vector<std::int32_t>& columns, const ArrayConfig& array, int row_bytes, int groups)
      : columns_(columns),
        lanes_(static_cast<std::size_t>(array.input_channels)),
        value_bytes_(static_cast<std::size_t>(array.weight_bytes())),
        pieces_(pieces_of(columns, lanes_)) {
    const auto taps = static_cast<std::size_t>(array.taps()), cols = static_cast<std::size_t>(array.cols);
    const auto pitch = static_cast<std::size_t>(row_bytes);
    for (std::size_t w = 0; w < columns.size() / lanes_; ++w)
      places_.push_back((w / taps * static_cast<std::size_t>(groups) * cols + w % cols) * pitch +
                        w % taps / cols * lanes_ * value_bytes_);
  }

  // Packs the rows of a group's output channels, `channel_bytes` apart; a missing row stays zero.
  void pack(const std::vector<Weights>& rows, std::size_t channel_bytes, std::uint8_t* to) const {
    for (const StridedWords& piece : pieces_) {
      const bool turns =
          value_bytes_ == 1 && piece.stride > 0 && piece.step == 1 && lanes_ == kTile && piece.words >= kTile;
      for (std::size_t done = 0; done < piece.words; done += turns ? kTile : 1)
        for (std::size_t o = 0; o < rows.size(); ++o) {
          if (!rows[o]) continue;
          if (turns)
            turn(rows[o], piece, std::min(done, piece.words - kTile), to + o * channel_bytes);
          else
            copy(rows[o], piece, done, to + o * channel_bytes);
        }
    }
  }

 private:
  void turn(const Weights& from, const StridedWords& piece, std::size_t done, std::uint8_t* to) const {
    Tile tile;
    const std::int8_t* first = from.bytes + piece.element + static_cast<std::int64_t>(done);
    for (std::size_t l = 0; l < kTile; ++l)
      std::memcpy(&tile[l * kTile], first + static_cast<std::int64_t>(l) * piece.stride, kTile);
    tile = shuffled(shuffled(shuffled(tile)));
    for (std::size_t w = 0; w < kTile; ++w) std::memcpy(to + places_[piece.first + done + w], &tile[w * kTile], kTile);
  }

  void copy(const Weights& from, const StridedWords& piece, std::size_t done, std::uint8_t* to) const {
    const std::size_t word = piece.first + done;
    to += places_[word];
    if (value_bytes_ == 1 && piece.stride == 1) {
      std::memcpy(to, from.bytes + piece.element + static_cast<std::int64_t>(done) * piece.step, lanes_);
      return;
    }
    for (std::size_t l = 0; l < lanes_; ++l) {
      const std::int32_t column = columns_[word * lanes_ + l];
      put(to + l * value_bytes_, column < 0 ? 0 : from[column], static_cast<int>(value_bytes_));
    }
  }

  const std::vector<std::int32_t>& columns_;
  const std::size_t lanes_, value_bytes_;
  const std::vector<StridedWords> pieces_;
  std::vector<std::size_t> places_;  // place of each word, relative to the first group and row of its block
};

}  // namespace

void pack_matrix(const network::Layer& layer, const RowsOf& rows_of, int at_once, const MatrixShape& matrix,
                 const ArrayConfig& array, int row_bytes, std::uint8_t* to) {
  const int tiles = base::ceil_div(matrix.groups, matrix.tile_groups), last_tile = (tiles - 1) * matrix.tile_groups;
  const RowPacker packer(matrix.columns, array, row_bytes, matrix.tile_groups);
  const RowPacker last(matrix.columns, array, row_bytes, matrix.groups - last_tile);
  const std::int64_t group_bytes = std::int64_t{array.cols} * row_bytes;
  const auto words = static_cast<int>(matrix.columns.size()) / array.input_channels;
  const int blocks = base::ceil_div(words, array.taps());
  const auto channel_bytes = static_cast<std::size_t>(array.rows * array.input_channels * array.weight_bytes());
  const auto parts = static_cast<std::size_t>(base::ceil_div(matrix.groups, at_once));
  base::Workers(base::cores()).each(parts, [&](std::size_t part) {
    const int first = static_cast<int>(part) * at_once, count = std::min(at_once, matrix.groups - first);
    LayerWeights weights(&layer);
    const MatrixRow row = rows_of(weights, first, count);
    std::vector<Weights> rows(static_cast<std::size_t>(array.output_channels));
    for (int group = first; group < first + count; ++group) {
      base::stop_if_interrupted();
      for (int o = 0; o < array.output_channels; ++o) rows[static_cast<std::size_t>(o)] = row(group, o);
      const int in_tile = group % matrix.tile_groups, tile = group - in_tile;
      (tile == last_tile ? last : packer)
          .pack(rows, channel_bytes, to + (std::int64_t{tile} * blocks + in_tile) * group_bytes);
    }
  });
}

}  // namespace fansim::stream
