// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <optional>
#include <string>
#include <thread>

#include "base/output_files.h"
#include "base/temporary_folder.h"
#include "waveforms/vcd_words.h"

namespace fansim::waveforms {

// A waveform while SystemC writes it, which checks no write: it writes into a pipe, from which it goes to the file; for
// one whose name ends in .fst, to be converted when all is there.
class WaveformFile {
 public:
  explicit WaveformFile(std::string path);
  ~WaveformFile();  // after the writer has closed it; what was not kept vanishes
  WaveformFile(const WaveformFile&) = delete;
  WaveformFile& operator=(const WaveformFile&) = delete;

  const std::string& pipe() const { return pipe_; }  // ends in .vcd, which SystemC would append
  void check() const;                                // UserError if it can be written no longer
  VcdWords& words() { return words_; }
  // After the writer has closed it. UserError if it could not be written, or nothing was recorded; then no older file
  // passes for this one.
  void keep();

 private:
  void relay();
  void pass_on(const std::string& part);
  std::string plain_name() const { return folder_.path() + "/plain.vcd"; }
  base::OutputFile& vcd() { return plain_ ? *plain_ : file_; }
  void convert();
  void finish();

  std::string path_;
  std::string converter_;  // none: the file is a VCD
  base::OutputFile file_;
  base::TemporaryFolder folder_;
  std::optional<base::OutputFile> plain_;  // what is to be converted
  std::string pipe_;
  int reading_ = -1, writing_ = -1;
  std::string head_;  // until all of it is here
  VcdWords words_;
  bool recorded_ = false;
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false};
  std::thread relay_;
};

}  // namespace fansim::waveforms
