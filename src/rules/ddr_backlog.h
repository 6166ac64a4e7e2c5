// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "rules/banked_ddr.h"

namespace fansim::rules {

// The column accesses of one direction that wait in a controller, by arrival, with what is known of them bank by bank.
class DdrBacklog {
 public:
  explicit DdrBacklog(int most) : most_(static_cast<std::size_t>(most)), requests_(2 * most_) {}

  bool empty() const { return begin_ == end_; }
  int size() const { return static_cast<int>(end_ - begin_); }
  int room() const { return static_cast<int>(most_) - size(); }
  DdrQueue queue() const { return {requests_.data() + begin_, size(), banks_}; }
  // Returns true only if one of them is to the same row, which pick() prefers to any that comes later.
  bool has_row(const contract::DdrPlace& place) const {
    const Bank& bank = of_bank_[static_cast<std::size_t>(place.bank)];
    return bank.to_row > 0 && bank.row == place.row;
  }

  void push(const DdrRequest& request) {
    if (end_ == requests_.size()) move_to_front();
    requests_[end_++] = request;
    const auto number = static_cast<std::size_t>(request.place.bank);
    Bank& bank = of_bank_[number];
    if (bank.row != request.place.row) {
      bank.row = request.place.row;
      bank.to_row = 0;
    }
    ++bank.to_row;
    ++bank.waiting;
    banks_ |= 1U << number;
  }
  void erase(int index) {
    const auto at = requests_.begin() + static_cast<std::ptrdiff_t>(begin_) + index;
    forget(at->place);
    std::move_backward(requests_.begin() + static_cast<std::ptrdiff_t>(begin_), at, at + 1);
    ++begin_;
  }

 private:
  struct Bank {
    int waiting = 0;
    int row = -1;    // of the one that came last
    int to_row = 0;  // as many at least are to that row
  };

  void forget(const contract::DdrPlace& place) {
    const auto number = static_cast<std::size_t>(place.bank);
    Bank& bank = of_bank_[number];
    if (--bank.waiting == 0) banks_ &= ~(1U << number);
    if (bank.row == place.row && bank.to_row > 0) --bank.to_row;
  }
  void move_to_front() {
    std::move(requests_.begin() + static_cast<std::ptrdiff_t>(begin_), requests_.end(), requests_.begin());
    end_ -= begin_;
    begin_ = 0;
  }

  std::size_t most_;
  std::vector<DdrRequest> requests_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint32_t banks_ = 0;  // a bit for each bank with a request that waits
  std::array<Bank, contract::DdrPart::kMaxBanks> of_bank_;
};

}  // namespace fansim::rules
