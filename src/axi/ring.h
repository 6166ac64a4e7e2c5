// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace fansim::axi {

// A FIFO of fixed capacity inside a block. It never grows; the caller must ask full() before push().
template <class T>
class Ring {
 public:
  explicit Ring(int capacity) : capacity_(static_cast<std::size_t>(capacity)) {
    std::size_t storage = 1;
    while (storage < capacity_) storage *= 2;
    items_.resize(storage);
    mask_ = storage - 1;
  }

  bool empty() const { return pushes_ == pops_; }
  bool full() const { return pushes_ - pops_ == capacity_; }
  std::size_t size() const { return pushes_ - pops_; }
  // Returns the i-th oldest item.
  T& operator[](std::size_t i) { return items_[(pops_ + i) & mask_]; }
  const T& operator[](std::size_t i) const { return items_[(pops_ + i) & mask_]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  void push(const T& item) { push() = item; }
  // Returns the place of the next item, to be filled.
  T& push() { return items_[pushes_++ & mask_]; }
  void pop() { ++pops_; }
  void clear() { pops_ = pushes_; }

 private:
  std::vector<T> items_;
  std::size_t capacity_, mask_;
  std::size_t pushes_ = 0;
  std::size_t pops_ = 0;
};

}  // namespace fansim::axi
