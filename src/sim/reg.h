// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/module.h"

namespace fansim::sim {

// A register between blocks: what is set at edge n is read from edge n+1 on, in whatever order the blocks step.
template <class T>
class Reg : public RegBase {
 public:
  Reg(Module& owner, const char* name, T initial = T{}) : RegBase(owner, name), now_(initial), before_(initial) {}

  const T& get() const { return edge_ == owner_.now() ? before_ : now_; }
  void set(const T& value) {
    if (edge_ != owner_.now()) {
      before_ = now_;
      edge_ = owner_.now();
    }
    now_ = value;
  }
  // What the owner itself has set so far, including at this edge.
  const T& next() const { return now_; }

  void trace(Tracer& tracer) override { tracer.wire(full_name(), wire_, 64); }
  void sample() override { wire_ = static_cast<std::uint64_t>(now_); }

 private:
  T now_;
  T before_;
  Edge edge_ = -1;
  std::uint64_t wire_ = 0;
};

}  // namespace fansim::sim
