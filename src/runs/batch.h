// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/part.h"
#include "runs/run.h"

namespace fansim::runs {

// One program, many inputs. No layer's time depends on values, so it is known from the first; the others' values are
// computed, and compared with the reference if `request` wants that.
struct BatchRequest {
  Request request;      // of the first input; `input` and `out` are empty
  std::string inputs;   // .npy, [count, input...]
  std::string labels;   // .npy, [count]; empty: none
  bool floats = false;  // beside the network of floats that it was made of
  base::Part part;      // of the inputs, in their order: the others are left out
  int jobs = 1;
};

// How often the output's largest elements are what the input shows.
struct Accuracy {
  std::int64_t first = 0, first_five = 0;            // of the count
  std::vector<std::vector<std::int64_t>> confusion;  // [shown][read], of up to so many classes
  static constexpr std::size_t kMostConfused = 4096;
};

// Inputs whose largest output in floats is the same one, and the one that they show.
struct FloatAgreement {
  std::int64_t same = 0, right = 0;
};

struct Batch {
  Run run;                            // of the first input
  std::int64_t begin = 0, count = 0;  // of the inputs
  std::vector<int> read;              // of each input, the output's largest element, the first of equals
  std::optional<Accuracy> accuracy;
  std::optional<FloatAgreement> floats;
  std::vector<std::string> differences;  // "input 3: conv1: output differs at..."
  double seconds = 0;                    // that the values took, of all as of those behind the first run
};

// Throws base::UserError, base::Interrupted.
Batch run_batch(const BatchRequest& request);

}  // namespace fansim::runs
