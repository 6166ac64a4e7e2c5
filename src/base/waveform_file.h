// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <string>
#include <thread>

#include "base/output_files.h"
#include "base/temporary_folder.h"

namespace fansim::base {

// A waveform while SystemC writes it, which checks no write: it writes into a pipe, from which it goes to the file.
class WaveformFile {
 public:
  explicit WaveformFile(std::string path);
  ~WaveformFile();  // after the writer has closed it; what was not kept vanishes
  WaveformFile(const WaveformFile&) = delete;
  WaveformFile& operator=(const WaveformFile&) = delete;

  const std::string& pipe() const { return pipe_; }  // ends in .vcd, which SystemC would append
  void check() const;                                // UserError if it can be written no longer
  // After the writer has closed it. UserError if it could not be written, or nothing was recorded; then no older file
  // passes for this one.
  void keep();

 private:
  void relay();
  void pass_on(std::string part);
  void finish();

  std::string path_;
  OutputFile file_;
  TemporaryFolder folder_;
  std::string pipe_;
  int reading_ = -1, writing_ = -1;
  std::string head_;  // until all of it is here
  bool recorded_ = false;
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false};
  std::thread relay_;
};

}  // namespace fansim::base
