// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace fansim::timing {

// First in, first out, in a ring that grows.
template <class T>
class Queue {
 public:
  bool empty() const { return pushes_ == pops_; }
  std::size_t size() const { return pushes_ - pops_; }
  T& operator[](std::size_t i) { return items_[(pops_ + i) & (items_.size() - 1)]; }
  const T& operator[](std::size_t i) const { return items_[(pops_ + i) & (items_.size() - 1)]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[size() - 1]; }

  void push(const T& item) {
    if (size() == items_.size()) grow();
    items_[pushes_++ & (items_.size() - 1)] = item;
  }
  T pop() { return items_[pops_++ & (items_.size() - 1)]; }
  void clear() { pops_ = pushes_; }

 private:
  void grow() {
    std::vector<T> larger(2 * items_.size());
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) larger[i] = (*this)[i];
    items_ = std::move(larger);
    pops_ = 0, pushes_ = count;
  }

  std::vector<T> items_ = std::vector<T>(16);
  std::size_t pushes_ = 0, pops_ = 0;
};

}  // namespace fansim::timing
