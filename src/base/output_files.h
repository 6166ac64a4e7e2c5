// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace fansim::base {

// An output while it is written. A regular file, and one that is not there yet, is written beside the final one under a
// name of its own. keep() gives it the final name and the mode of the file that it replaces; without keep() it
// vanishes. A file with other names (hard links) keeps them: keep() copies the content into it once there is room for
// all of it, so only here a killed process may leave a part. A device, a pipe and standard output, which "-" stands
// for, are written in place. Links are followed. Throws UserError if the output cannot be written.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view content);
  void keep();
  // Does the same unless the file exists by now. In that case the file stays, and the result is false. If several
  // processes do this, one of them makes the file.
  bool keep_if_none();
  void remove_older();  // removes the file that keep() would have replaced

 private:
  bool replaces() const { return !temporary_.empty(); }
  void open_temporary();
  void close();
  void copy() const;
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string target_;     // the path with its links followed
  std::string temporary_;  // empty if written in place
  int descriptor_ = -1;
  int lock_ = -1;  // locks the temporary name as long as it is used
};

// Returns whether the path is standard output. The text that goes beside such an output has to go elsewhere.
bool is_standard_output(const std::string& path);

// Throws UserError now rather than after a long run, if an output could not be written later, is a file that this
// process has read, or is the same as another one. Empty paths are no files.
void check_outputs(const std::vector<std::string>& paths);
// Creates a folder and checks the files in it in the same way.
void prepare_folder(const std::string& path, const std::vector<std::string>& names);

}  // namespace fansim::base
