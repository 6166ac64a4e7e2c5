// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "rules/banked_ddr.h"

namespace fansim::rules {

// The column accesses of one direction that wait in a controller, by arrival, and whether they are simple: all to one
// row, or to one row each of two banks.
class DdrBacklog {
 public:
  explicit DdrBacklog(int most) : most_(static_cast<std::size_t>(most)), requests_(2 * most_) {}

  bool full() const { return size() == most_; }
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }
  bool simple() const { return simple_from_ <= begin_; }
  DdrQueue queue() const { return {requests_.data() + begin_, static_cast<int>(size())}; }

  void push(const DdrRequest& request) {
    if (end_ == requests_.size()) move_to_front();
    if (empty()) rows_ = 0;
    requests_[end_++] = request;
    if (known_row(request.place)) return;
    if (rows_ == 2 || (rows_ == 1 && row_[0].bank == request.place.bank)) simple_from_ = end_ - 1, rows_ = 0;
    row_[rows_++] = request.place;
  }
  void erase(int index) {
    const auto at = begin_ + static_cast<std::size_t>(index);
    std::move_backward(requests_.begin() + static_cast<std::ptrdiff_t>(begin_),
                       requests_.begin() + static_cast<std::ptrdiff_t>(at),
                       requests_.begin() + static_cast<std::ptrdiff_t>(at + 1));
    ++begin_;
    if (at >= simple_from_) ++simple_from_;
  }

 private:
  bool known_row(const arch::DdrPlace& place) const {
    for (std::size_t i = 0; i < rows_; ++i)
      if (row_[i].bank == place.bank && row_[i].row == place.row) return true;
    return false;
  }
  void move_to_front() {
    std::move(requests_.begin() + static_cast<std::ptrdiff_t>(begin_), requests_.end(), requests_.begin());
    simple_from_ = std::max(begin_, simple_from_) - begin_;
    end_ -= begin_;
    begin_ = 0;
  }

  std::size_t most_;
  std::vector<DdrRequest> requests_;
  std::size_t begin_ = 0, end_ = 0;
  std::size_t simple_from_ = 0;  // those from here on go to these rows
  std::array<arch::DdrPlace, 2> row_;
  std::size_t rows_ = 0;
};

}  // namespace fansim::rules
