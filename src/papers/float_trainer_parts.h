// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "accelerators/trainer/config/job.h"
#include "papers/papers.h"

// This file declares the parts of the float trainer's reproduction.
namespace fansim::papers::float_trainer {

constexpr const char* kPaper = "float-trainer";
constexpr const char* kConfig = "configs/systems/float_trainer.yaml";

// Holds the training of one image in one choice of formats.
struct Image {
  std::vector<std::string> overrides;
  std::int64_t cycles = 0;
};

// Adds Tables 2 and 4 to 6: the operators by formula and as synthesised.
void add_operators(std::vector<report::Row>& rows);
// Adds Table 3 and the energy of an image, computed from the operators' gates.
void add_power(std::vector<report::Row>& rows, const trainer::Job& job, const Image& custom_24, const Image& brain_16,
               const Image& custom_16, const Image& mixed);

}  // namespace fansim::papers::float_trainer
