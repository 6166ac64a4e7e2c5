// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "accelerators/vision/config/job.h"

namespace fansim::vision {

// Number of samples that are computed together; rows are padded to a multiple of it.
constexpr int kLanes = 32;

// Holds some rows of an image, numbered as in the image.
template <class T>
struct Plane {
  int rows = 0, samples = 0;  // of the whole image
  int from = 0, to = 0;       // the rows held here
  std::vector<T> values;

  // Makes room for rows `first` to `last` - 1 of the image, with undefined samples.
  void hold(int first, int last) {
    from = first;
    to = last;
    values.resize(static_cast<std::size_t>(last - first) * static_cast<std::size_t>(held()));
  }
  int held() const { return base::round_up(samples, kLanes); }  // samples per row, padded
  T* row(int i) { return values.data() + std::ptrdiff_t{i - from} * held(); }
  const T* row(int i) const { return values.data() + std::ptrdiff_t{i - from} * held(); }
};

// Gives the rows of an image with its border, as windows see them. row(y) starts `across` samples before the first one,
// for any y that a window around a row needs. A row is made when it is first needed, and the last `kernel` rows are
// kept. For a row that the plane does not hold it gives the nearest one; windows inside the image never need that.
template <class T>
class BorderedRows {
 public:
  BorderedRows(const Plane<T>& plane, const WindowJob& job, int channels)
      : plane_(plane), job_(job), channels_(channels), across_(job.kernel / 2 * channels) {
    const auto width = static_cast<std::size_t>(plane.held() + 2 * across_);
    rows_.assign(static_cast<std::size_t>(job.kernel), std::vector<T>(width));
    made_.assign(rows_.size(), kNone);
    constant_.assign(width, static_cast<T>(job.border_value));
  }

  const T* row(int y) {
    if (job_.border == BorderCode::constant && (y < job_.image.top || y >= job_.image.bottom)) return constant_.data();
    const int top = job_.border == BorderCode::none ? 0 : std::max(0, job_.image.top);
    const int bottom = job_.border == BorderCode::none ? plane_.rows : std::min(plane_.rows, job_.image.bottom);
    y = std::clamp(std::clamp(y, top, bottom - 1), plane_.from, plane_.to - 1);
    const std::size_t slot = static_cast<std::size_t>(y) % rows_.size();
    if (made_[slot] != y) {
      make(rows_[slot], y);
      made_[slot] = y;
    }
    return rows_[slot].data();
  }

 private:
  void make(std::vector<T>& to, int y) const {
    const T* from = plane_.row(y);
    const bool bordered = job_.border != BorderCode::none;
    const int left = bordered ? std::max(0, job_.image.left) : 0;
    const int right = bordered ? std::min(plane_.samples, job_.image.right) : plane_.samples;
    std::copy(from + left, from + right, to.begin() + across_ + left);
    const bool constant = job_.border == BorderCode::constant;
    const T value = static_cast<T>(job_.border_value);
    // The nearest sample of the same channel is the one a pixel further in, which already has its value.
    for (int i = across_ + left - 1; i >= 0; --i)
      to[at(i)] = constant ? value : i + channels_ < across_ + right ? to[at(i + channels_)] : T{};
    for (int i = across_ + right; i < static_cast<int>(to.size()); ++i)
      to[at(i)] = constant ? value : i - channels_ >= 0 ? to[at(i - channels_)] : T{};
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  static constexpr int kNone = -1;
  const Plane<T>& plane_;
  const WindowJob& job_;
  const int channels_, across_;
  std::vector<std::vector<T>> rows_;
  std::vector<int> made_;
  std::vector<T> constant_;
};

}  // namespace fansim::vision
