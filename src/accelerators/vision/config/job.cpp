// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/config/job.h"

#include <type_traits>

namespace fansim::vision {
namespace {

constexpr int kWeightBits = 8;

struct Encoder {
  JobRegisters& registers;
  std::size_t at = 0;

  template <class T>
  void word(const char*, const T& value, const char*) {
    registers.words[at++] = static_cast<std::uint32_t>(value);
  }
};

struct Decoder {
  const contract::JobRegisters& registers;
  std::size_t at = 0;

  template <class T>
  void word(const char*, T& value, const char*) {
    const std::uint32_t word = registers.words[at++];
    if constexpr (std::is_same_v<T, bool>)
      value = word != 0;
    else
      value = static_cast<T>(word);
  }
};

struct Counter {
  int words = 0;
  template <class T>
  void word(const char*, const T&, const char*) {
    ++words;
  }
};

}  // namespace

int JobRegisters::fields() {
  static const int kFields = [] {
    Counter counter;
    const Job job;
    Job::visit(job, counter);
    return counter.words;
  }();
  return kFields;
}

JobRegisters encode(const Job& job) {
  JobRegisters registers;
  Encoder encoder{registers};
  Job::visit(job, encoder);
  for (std::size_t i = 0; i < job.weights.size(); ++i)
    registers.words[encoder.at + i / JobRegisters::kWeightsPerWord] |=
        (static_cast<std::uint32_t>(job.weights[i]) & 0xff) << kWeightBits * (i % JobRegisters::kWeightsPerWord);
  registers.words.back() = 1;
  return registers;
}

Job decode(const contract::JobRegisters& registers) {
  Job job;
  Decoder decoder{registers};
  Job::visit(job, decoder);
  for (std::size_t i = 0; i < job.weights.size(); ++i)
    job.weights[i] = static_cast<std::int8_t>(registers.words[decoder.at + i / JobRegisters::kWeightsPerWord] >>
                                              kWeightBits * (i % JobRegisters::kWeightsPerWord));
  return job;
}

std::uint32_t row_steps(const Job& job, const PixelsConfig& pixels) {
  return job.row_bytes / static_cast<std::uint32_t>(pixels.samples * job.sample_bytes);
}

std::uint32_t unit_delay(const Job& job, UnitCode unit, const PixelsConfig& pixels) {
  if (!job.windowed(unit)) return 0;
  const auto radius = static_cast<std::uint32_t>(job.window(unit).kernel / 2);
  const auto columns = radius * static_cast<std::uint32_t>(job.channels);
  const auto samples = static_cast<std::uint32_t>(pixels.samples);
  return radius * row_steps(job, pixels) + (columns + samples - 1) / samples;
}

}  // namespace fansim::vision
