// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "rules/banked_ddr.h"

namespace fansim::rules {

// The column accesses of one direction that wait in a controller, by arrival, and whether they are simple: all to one
// row, or to one row each of two banks; or even in order: all to one row, or in turns to one row each of two groups.
class DdrBacklog {
 public:
  explicit DdrBacklog(int most) : most_(static_cast<std::size_t>(most)), requests_(2 * most_) {}

  bool full() const { return size() == most_; }
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }
  bool simple() const { return simple_from_ <= begin_; }
  bool in_order() const { return ordered_from_ <= begin_; }
  // How many of the first ones go to two groups in turns.
  int first_in_turns() const {
    const DdrRequest* const read = requests_.data() + begin_;
    const int count = static_cast<int>(size());
    if (count < 2 || read[0].place.group == read[1].place.group) return 0;
    int i = 2;
    while (i < count && read[i].place.group == read[i - 2].place.group) ++i;
    return i;
  }
  DdrQueue queue() const { return {requests_.data() + begin_, static_cast<int>(size())}; }

  void push(const DdrRequest& request) {
    if (end_ == requests_.size()) move_to_front();
    if (empty()) rows_ = 0;
    requests_[end_++] = request;
    if (!continues_order()) ordered_from_ = end_ - 1;
    if (known_row(request.place)) return;
    if (rows_ == 2 || (rows_ == 1 && row_[0].bank == request.place.bank)) simple_from_ = end_ - 1, rows_ = 0;
    row_[rows_++] = request.place;
  }
  // The first ones.
  void drop(int count) { begin_ += static_cast<std::size_t>(count); }
  void erase(int index) {
    const auto at = begin_ + static_cast<std::size_t>(index);
    std::move_backward(requests_.begin() + static_cast<std::ptrdiff_t>(begin_),
                       requests_.begin() + static_cast<std::ptrdiff_t>(at),
                       requests_.begin() + static_cast<std::ptrdiff_t>(at + 1));
    ++begin_;
    if (at >= simple_from_) ++simple_from_;
    if (at >= ordered_from_) ordered_from_ = at + 1;
  }

 private:
  static bool same_row(const contract::DdrPlace& a, const contract::DdrPlace& b) {
    return a.bank == b.bank && a.row == b.row;
  }
  bool known_row(const contract::DdrPlace& place) const {
    for (std::size_t i = 0; i < rows_; ++i)
      if (same_row(row_[i], place)) return true;
    return false;
  }
  bool continues_order() const {
    const DdrRequest* const last = requests_.data() + end_ - 1;
    const std::size_t before = end_ - 1 - std::max(begin_, ordered_from_);
    if (before == 0) return true;
    if (before == 1) return same_row(last[0].place, last[-1].place) || last[0].place.group != last[-1].place.group;
    return same_row(last[0].place, last[-2].place);
  }
  void move_to_front() {
    std::move(requests_.begin() + static_cast<std::ptrdiff_t>(begin_), requests_.end(), requests_.begin());
    simple_from_ = std::max(begin_, simple_from_) - begin_;
    ordered_from_ = std::max(begin_, ordered_from_) - begin_;
    end_ -= begin_;
    begin_ = 0;
  }

  std::size_t most_;
  std::vector<DdrRequest> requests_;
  std::size_t begin_ = 0, end_ = 0;
  std::size_t ordered_from_ = 0;  // those from here on are in order
  std::size_t simple_from_ = 0;   // those from here on go to these rows
  std::array<contract::DdrPlace, 2> row_;
  std::size_t rows_ = 0;
};

}  // namespace fansim::rules
