// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/part.h"
#include "runs/run.h"

namespace fansim::runs {

// Describes one program with many inputs. No layer's time depends on values, so the first input gives the time of all.
// The values of the others are computed, and compared with the reference if `request` asks for it.
struct BatchRequest {
  Request request;      // for the first input; `input` and `out` are empty
  std::string inputs;   // .npy, [count, input...]
  std::string labels;   // .npy, [count]; empty: none
  bool floats = false;  // also run the float network from which it was made
  base::Part part;      // the inputs to run; the others are left out
  int jobs = 1;
};

// Counts how often the output's largest elements match the label.
struct Accuracy {
  std::int64_t first = 0, first_five = 0;            // inputs with a label
  std::vector<std::vector<std::int64_t>> confusion;  // [shown][read], if there are not too many classes
  static constexpr std::size_t kMostConfused = 4096;
};

// Counts the inputs whose largest output is the same in floats, and those that the floats classify correctly.
struct FloatAgreement {
  std::int64_t same = 0, right = 0;
};

struct Batch {
  Run run;                            // of the first input
  std::int64_t begin = 0, count = 0;  // range of inputs
  std::vector<int> read;              // for each input, the index of the output's largest element, the first of equal
                                      // ones
  std::optional<Accuracy> accuracy;
  std::optional<FloatAgreement> floats;
  std::vector<std::string> differences;  // "input 3: conv1: output differs at..."
  double seconds = 0;                    // time that the values took, extrapolated from the inputs after the first
};

// Throws base::UserError and base::Interrupted.
Batch run_batch(const BatchRequest& request);

}  // namespace fansim::runs
