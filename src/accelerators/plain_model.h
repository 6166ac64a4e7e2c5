// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/accelerator_model.h"

namespace fansim::accelerators {

// The model of an accelerator that says nothing more of itself: every point is a configuration read, estimated and
// simulated whole, and no box is ruled out.
class PlainModel : public AcceleratorModel {
 public:
  using AcceleratorModel::AcceleratorModel;

  explore::Outcome evaluate(const explore::Point& point) const override;
};

}  // namespace fansim::accelerators
