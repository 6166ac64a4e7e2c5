// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitives/primitive.h"
#include "waveforms/waveform_file.h"

namespace fansim::benches {

// Writes the ports of a driven primitive as a VCD. A row takes 10 ns: its inputs are set at the beginning; 5 ns later
// its clocks rise and its outputs are shown.
class DriveWaveform {
 public:
  DriveWaveform(const std::string& path, const primitives::Primitive& primitive);

  void row(const std::vector<std::uint64_t>& inputs, const std::vector<primitives::Bits>& outputs);
  void close() { file_.keep(); }

 private:
  void declare(const std::vector<primitives::PortRow>& ports);

  waveforms::WaveformFile file_;
  const primitives::Primitive& primitive_;
  std::int64_t time_ = 0;  // ns
};

}  // namespace fansim::benches
