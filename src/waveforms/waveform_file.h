// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/output_files.h"
#include "waveforms/wave_writer.h"

namespace fansim::waveforms {

// The file into which a waveform is written: an FST if its name ends in .fst, otherwise a VCD. The file vanishes unless
// keep() is called.
class WaveformFile {
 public:
  enum class Unit { ps, ns };  // unit of its times
  explicit WaveformFile(std::string path, Unit unit = Unit::ps, Words words = Words::enums);

  WaveWriter& writer() { return *writer_; }
  // Ends the file and keeps it. To be called after the last value. Throws UserError if it could not be written or
  // nothing was recorded; in that case an older file is removed, so that it does not pass for this one.
  void keep();

 private:
  const std::string path_;
  base::OutputFile file_;
  std::unique_ptr<WaveWriter> writer_;
};

}  // namespace fansim::waveforms
