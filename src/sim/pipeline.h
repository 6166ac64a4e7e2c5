// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace fansim::sim {

// The stages between pop and push of a block with a fixed latency of one cycle or more: what enters at edge n leaves at
// edge n + latency, if advance() was called at every edge between; a stalled block simply does not call it.
template <class T>
class Pipeline {
 public:
  explicit Pipeline(int latency) : stages_(static_cast<std::size_t>(latency)) {}

  void clear() {
    for (Stage& stage : stages_) stage.valid = false;
    filled_ = 0;
  }
  bool empty() const { return filled_ == 0; }
  bool out_valid() const { return stages_[head_].valid; }
  const T& out() const { return stages_[head_].item; }

  // Moves every stage on; the leaving one must have been used. `item` to fill is returned by enter().
  void advance() {
    if (stages_[head_].valid) --filled_;
    stages_[head_].valid = false;
    tail_ = head_;
    head_ = head_ + 1 == stages_.size() ? 0 : head_ + 1;
  }
  // The first stage, after advance().
  T& enter() {
    stages_[tail_].valid = true;
    ++filled_;
    return stages_[tail_].item;
  }

 private:
  struct Stage {
    T item{};
    bool valid = false;
  };
  std::vector<Stage> stages_;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  int filled_ = 0;
};

}  // namespace fansim::sim
