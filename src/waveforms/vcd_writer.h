// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "waveforms/wave_writer.h"

namespace fansim::waveforms {

// Writes a value change dump (IEEE 1364, 18). It holds no date, so the same run gives the same bytes. Its first values
// are those of the time at which it begins. A comment behind each variable of words' numbers says what they mean:
// "$comment words of top.host.step: 0=start 1=stop $end". Strings are GTKWave's type; the standard has none.
class VcdWriter final : public WaveWriter {
 public:
  // `unit` is the unit of its times, such as "1 ps".
  VcdWriter(Sink sink, std::string unit, Words words = Words::enums)
      : WaveWriter(std::move(sink), words), unit_(std::move(unit)) {}

 private:
  void begin() override;
  void declare_in(const Scope& scope);
  void declare_words(const Variable& variable);
  void change(std::size_t signal) override;
  void stamp();
  void print(std::size_t signal);
  void print_digits(const std::string& digits);
  void print_value(std::uint64_t value);

  const std::string unit_;
  std::vector<std::string> ends_;  // the end of each signal's lines, which is its identifier
  std::int64_t stamped_ = -1;
};

}  // namespace fansim::waveforms
