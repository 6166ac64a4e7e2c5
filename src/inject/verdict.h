// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "inject/subject.h"

namespace fansim::inject {

// Looks at a run layer by layer beside the one without a fault.
class Verdict {
 public:
  explicit Verdict(const Subject& subject);

  // At a layer's end. False: the memory is that of the run without a fault.
  bool layer_done(const contract::LayerPlan& plan, const std::uint8_t* memory);
  // Layers that are done.
  std::size_t layers() const { return layers_; }
  // By how much the last one of them ended later, if it did.
  void ended(base::Cycles now) { result_.lost = now - subject_.endings()[layers_ - 1].end; }

  // Computes the layers that are left on a memory, on the fast engine.
  void compute_rest(const std::uint8_t* memory);

  // With what the driver saw.
  Result result(const contract::FaultLog& log) const;

 private:
  void compare(int layer, const network::Tensor& output);

  const Subject& subject_;
  const std::unique_ptr<runs::Observer> observer_;
  std::size_t layers_ = 0;
  Result result_;
};

}  // namespace fansim::inject
