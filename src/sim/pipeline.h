// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace fansim::sim {

// The stages between pop and push of a block with a fixed latency of one cycle or more. What enters at edge n leaves at
// edge n + latency if advance() is called at every edge between. A stalled block does not call it.
template <class T>
class Pipeline {
 public:
  explicit Pipeline(int latency)
      : stages_(static_cast<std::size_t>(latency)),
        end_(stages_.data() + stages_.size()),
        head_(stages_.data()),
        tail_(head_) {}
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  void clear() {
    for (Stage& stage : stages_) stage.valid = false;
    filled_ = 0;
  }
  bool empty() const { return filled_ == 0; }
  bool out_valid() const { return head_->valid; }
  const T& out() const { return head_->item; }

  // Moves every stage on; the item that leaves must have been used. enter() returns the item to be filled.
  void advance() {
    if (head_->valid) --filled_;
    head_->valid = false;
    tail_ = head_;
    if (++head_ == end_) head_ = stages_.data();
  }
  // Returns the first stage. To be called after advance().
  T& enter() {
    tail_->valid = true;
    ++filled_;
    return tail_->item;
  }

 private:
  struct Stage {
    T item{};
    bool valid = false;
  };
  std::vector<Stage> stages_;
  Stage* const end_;
  Stage *head_, *tail_;
  int filled_ = 0;
};

}  // namespace fansim::sim
