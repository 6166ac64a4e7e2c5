// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace fansim::base {

// An output while it is written. A regular file, and one that is not there yet, is written under a name of its own
// beside the final one, which it gets, with the mode of what it replaces, when keep() is called; otherwise it vanishes.
// A file that has other names keeps them: it gets the content then, once there is room for all of it, so of that alone
// a killed process may leave a part. What is no regular file (a device, a pipe, and standard output, which "-" stands
// for) is written in place. Links are followed. UserError if it cannot be written.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view content);
  void keep();
  // The same unless there is such a file by now, which stays: false. One of many that do this makes it.
  bool keep_if_none();
  void remove_older();  // what would have been replaced

 private:
  bool replaces() const { return !temporary_.empty(); }
  void open_temporary();
  void close();
  void copy() const;
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string target_;     // links followed
  std::string temporary_;  // empty: in place
  int descriptor_ = -1;
  int lock_ = -1;  // of what is under the temporary name, until it has none
};

// The text beside an output that goes to standard output has to go elsewhere.
bool is_standard_output(const std::string& path);

// UserError now rather than after a long run, if an output could not be written later, is a file that this process has
// read, or is another one of them. Empty paths are no files.
void check_outputs(const std::vector<std::string>& paths);
// The same for a folder, which is created, and the files in it.
void prepare_folder(const std::string& path, const std::vector<std::string>& names);

}  // namespace fansim::base
