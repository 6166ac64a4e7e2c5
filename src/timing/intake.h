// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "timing/queue.h"

namespace fansim::timing {

// A queue whose items stay when they are taken, until whoever wants to see which were taken releases them.
template <class T>
class Intake {
 public:
  void push(const T& item) { items_.push(item); }

  // The i-th item that is not taken.
  const T& next(std::size_t i = 0) const { return items_[taken_ + i]; }
  const T& take() { return items_[taken_++]; }
  // Takes and releases so many, where none are taken.
  void drop(std::size_t count) { items_.drop(count); }

  // How many were taken since the last release, and the i-th of them.
  std::size_t taken() const { return taken_; }
  const T& taken(std::size_t i) const { return items_[i]; }
  void release() {
    items_.drop(taken_);
    taken_ = 0;
  }

  // The first item that is not taken, to be changed.
  T& front() { return items_[taken_]; }

 private:
  Queue<T> items_;
  std::size_t taken_ = 0;
};

}  // namespace fansim::timing
