// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "inject/subject.h"

namespace fansim::inject {

// Compares a run layer by layer with the one without a fault.
class Verdict {
 public:
  explicit Verdict(const Subject& subject);

  // Called at the end of a layer. Returns whether the memory differs from that of the run without a fault.
  bool layer_done(const contract::LayerPlan& plan, const std::uint8_t* memory);
  // Returns how many layers have ended.
  std::size_t layers() const { return layers_; }
  // Records by how many cycles the last of them ended later.
  void ended(base::Cycles now) { result_.lost = now - subject_.endings()[layers_ - 1].end; }

  // Computes the remaining layers from a memory, on the fast engine.
  void compute_rest(const std::uint8_t* memory);

  // Returns the result, including what the driver saw.
  Result result(const contract::FaultLog& log) const;

 private:
  void compare(int layer, const network::Tensor& output);

  const Subject& subject_;
  const std::unique_ptr<runs::Observer> observer_;
  std::size_t layers_ = 0;
  Result result_;
};

}  // namespace fansim::inject
