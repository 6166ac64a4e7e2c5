// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "primitives/primitive.h"
#include "waveforms/waveform_file.h"

namespace fansim::benches {

// The ports of a driven primitive as a VCD. A row takes 10 ns: its inputs are set when it begins, its clocks rise and
// the outputs are shown after 5 ns.
class DriveWaveform {
 public:
  DriveWaveform(const std::string& path, const primitives::Primitive& primitive);
  ~DriveWaveform();

  void row(const std::vector<std::uint64_t>& inputs, const std::vector<primitives::Bits>& outputs);
  void close();

 private:
  waveforms::WaveformFile file_;
  const primitives::Primitive& primitive_;
  std::vector<sc_dt::sc_lv_base> inputs_, outputs_;
  sc_core::sc_trace_file* trace_;
};

}  // namespace fansim::benches
