// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::base {

// UserError now rather than after a long run if the file could not be written later; an empty path is no file.
void check_writable(const std::string& path);
// The same for a folder, which is created.
void prepare_folder(const std::string& path);

// A waveform is written beside its final name, which it gets when keep() is called; otherwise it vanishes.
class WaveformFile {
 public:
  explicit WaveformFile(std::string path);
  ~WaveformFile();
  WaveformFile(const WaveformFile&) = delete;
  WaveformFile& operator=(const WaveformFile&) = delete;

  const std::string& temporary() const { return temporary_; }
  // After the writer has closed it. False: nothing was recorded.
  bool keep();

 private:
  std::string path_;
  std::string temporary_;
};

}  // namespace fansim::base
