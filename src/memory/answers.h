// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "axi/types.h"
#include "sim/clock_domain.h"

namespace fansim::memory {

// Determines how a faulty memory answers the bursts of one direction of a port: some with an error, some late or never.
// The port asks about each burst, in order. A failed read still brings its data, and the data of a failed write are
// still stored.
class Answers {
 public:
  // Makes the nth burst that is answered from now on, and the `count` - 1 after it, fail. `happens` is called at the
  // first of them.
  void fail(std::int64_t nth, std::int64_t count, axi::Resp resp, std::function<void()> happens) {
    troubles_.push_back({answered_ + nth - 1, count, resp, 0, false, std::move(happens)});
  }
  // Delays the answer to the nth burst by `cycles` cycles; 0 means that it never comes.
  void delay(std::int64_t nth, sim::Edge cycles, std::function<void()> happens) {
    troubles_.push_back({answered_ + nth - 1, 1, axi::Resp::okay, cycles, true, std::move(happens)});
  }

  // Returns whether the burst that could be answered at `now` has to wait.
  bool holds(sim::Edge now);
  axi::Resp resp();
  void answered() {
    ++answered_;
    held_from_ = kNotHeld;
  }

 private:
  struct Trouble {
    std::int64_t first, count;
    axi::Resp resp;
    sim::Edge cycles;
    bool delays;
    std::function<void()> happens;  // called once and then cleared
  };
  static constexpr sim::Edge kNotHeld = -1;
  bool concerns(const Trouble& trouble) const {
    return answered_ >= trouble.first && answered_ < trouble.first + trouble.count;
  }
  static void tell(Trouble& trouble);

  std::vector<Trouble> troubles_;
  std::int64_t answered_ = 0;       // bursts
  sim::Edge held_from_ = kNotHeld;  // since when the next burst is held
};

}  // namespace fansim::memory
