// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/output_files.h"
#include "waveforms/wave_writer.h"

namespace fansim::waveforms {

// The file that a waveform is written into: an FST if its name ends in .fst, else a VCD. What was not kept vanishes.
class WaveformFile {
 public:
  enum class Unit { ps, ns };  // of its times
  explicit WaveformFile(std::string path, Unit unit = Unit::ps);

  WaveWriter& writer() { return *writer_; }
  // After the last value. UserError if it could not be written, or nothing was recorded; then no older file passes for
  // this one.
  void keep();

 private:
  const std::string path_;
  base::OutputFile file_;
  std::unique_ptr<WaveWriter> writer_;
};

}  // namespace fansim::waveforms
