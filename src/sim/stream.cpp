// SPDX-License-Identifier: Apache-2.0
#include "sim/stream.h"

#include "sim/violation.h"

namespace fansim::sim {

ClockDomain& StreamBase::unclocked() {
  static ClockDomain domain{"unclocked", base::Rational{1, 1}};
  return domain;
}

bool StreamBase::join(ClockDomain& domain) {
  if (joined_ && domain_ != &domain) return false;
  domain_ = &domain;
  joined_ = true;
  return true;
}

void StreamBase::wakes_reader(const AwakeBits& reader) {
  if (reader_count_++ == kReaders) throw Violation(name(), 0, fmt::format("more than {} readers", kReaders));
  for (int i = 0; i < reader_words_; ++i)
    if (readers_[i].word == reader.word) {
      readers_[i].bits |= reader.bits;
      return;
    }
  readers_[reader_words_++] = reader;
}

std::string StreamBase::state() const {
  switch (occupancy()) {
    case 0:
      return "empty";
    case 1:
      return "1 of 2";
    default:
      return "full";
  }
}

}  // namespace fansim::sim
