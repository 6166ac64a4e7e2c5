// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/accelerator_model.h"

namespace fansim::accelerators {

// Scores points of an accelerator that defines no model of its own. Every point is read, estimated and simulated as a
// whole, and no box is ruled out.
class PlainModel : public AcceleratorModel {
 public:
  using AcceleratorModel::AcceleratorModel;

  explore::Outcome evaluate(const explore::Point& point) const override;
};

}  // namespace fansim::accelerators
