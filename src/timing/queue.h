// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace fansim::timing {

// A FIFO that grows as far as it must and then moves nothing.
template <class T>
class Queue {
 public:
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }
  T& front() { return items_[begin_ & mask_]; }
  const T& front() const { return items_[begin_ & mask_]; }
  // The i-th oldest.
  T& operator[](std::size_t i) { return items_[(begin_ + i) & mask_]; }
  const T& operator[](std::size_t i) const { return items_[(begin_ + i) & mask_]; }
  void push(const T& item) {
    if (size() == items_.size()) grow();
    items_[end_++ & mask_] = item;
  }
  void pop() { ++begin_; }
  void clear() { begin_ = end_; }

 private:
  void grow() {
    std::vector<T> larger(items_.empty() ? 8 : 2 * items_.size());
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) larger[i] = items_[(begin_ + i) & mask_];
    items_.swap(larger);
    mask_ = items_.size() - 1;
    begin_ = 0;
    end_ = count;
  }

  std::vector<T> items_;
  std::size_t mask_ = 0;
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace fansim::timing
