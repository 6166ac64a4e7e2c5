// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rules/banked_ddr.h"

namespace fansim::rules {

// The column accesses of one direction that wait in a controller, by arrival, and whether they are in order: all to one
// row, or in turns to one row each of two bank groups.
class DdrBacklog {
 public:
  explicit DdrBacklog(int most) : most_(static_cast<std::size_t>(most)), requests_(2 * most_) {}

  bool full() const { return size() == most_; }
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }
  bool in_order() const { return ordered_from_ <= begin_; }
  DdrQueue queue() const { return {requests_.data() + begin_, static_cast<int>(size())}; }

  void push(const DdrRequest& request) {
    if (end_ == requests_.size()) move_to_front();
    requests_[end_++] = request;
    if (!continues_order()) ordered_from_ = end_ - 1;
  }
  void erase(int index) {
    const auto at = begin_ + static_cast<std::size_t>(index);
    std::move_backward(requests_.begin() + static_cast<std::ptrdiff_t>(begin_),
                       requests_.begin() + static_cast<std::ptrdiff_t>(at),
                       requests_.begin() + static_cast<std::ptrdiff_t>(at + 1));
    ++begin_;
    if (at >= ordered_from_) ordered_from_ = at + 1;
  }

 private:
  static bool same_row(const DdrRequest& a, const DdrRequest& b) {
    return a.place.bank == b.place.bank && a.place.row == b.place.row;
  }
  bool continues_order() const {
    const DdrRequest* const last = requests_.data() + end_ - 1;
    const std::size_t before = end_ - 1 - std::max(begin_, ordered_from_);
    if (before == 0) return true;
    if (before == 1) return same_row(last[0], last[-1]) || last[0].place.group != last[-1].place.group;
    return same_row(last[0], last[-2]);
  }
  void move_to_front() {
    std::move(requests_.begin() + static_cast<std::ptrdiff_t>(begin_), requests_.end(), requests_.begin());
    ordered_from_ = std::max(begin_, ordered_from_) - begin_;
    end_ -= begin_;
    begin_ = 0;
  }

  std::size_t most_;
  std::vector<DdrRequest> requests_;
  std::size_t begin_ = 0, end_ = 0;
  std::size_t ordered_from_ = 0;  // those from here on are in order
};

}  // namespace fansim::rules
