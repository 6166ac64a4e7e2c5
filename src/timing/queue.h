// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace fansim::timing {

// Is a first-in, first-out queue in a ring that grows.
template <class T>
class Queue {
 public:
  bool empty() const { return pushes_ == pops_; }
  std::size_t size() const { return pushes_ - pops_; }
  T& operator[](std::size_t i) { return items_[(pops_ + i) & mask_]; }
  const T& operator[](std::size_t i) const { return items_[(pops_ + i) & mask_]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[size() - 1]; }

  void push(const T& item) {
    if (size() > mask_) grow();
    items_[pushes_++ & mask_] = item;
  }
  T pop() { return items_[pops_++ & mask_]; }
  void drop(std::size_t items) { pops_ += items; }
  void clear() { pops_ = pushes_; }

 private:
  // This is not inlined, because every push would otherwise save registers for it.
  [[gnu::noinline]] void grow() {
    const std::size_t count = size();
    auto larger = std::make_unique<T[]>(2 * count);
    for (std::size_t i = 0; i < count; ++i) larger[i] = (*this)[i];
    items_ = std::move(larger);
    mask_ = 2 * count - 1;
    pops_ = 0;
    pushes_ = count;
  }

  std::size_t mask_ = 15;
  std::unique_ptr<T[]> items_ = std::make_unique<T[]>(mask_ + 1);
  std::size_t pushes_ = 0, pops_ = 0;
};

}  // namespace fansim::timing
