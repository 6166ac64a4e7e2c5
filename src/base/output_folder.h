// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/temporary_folder.h"

namespace fansim::base {

// Files that belong together, on their way into a folder. They are written aside, and take their places once all of
// them are complete. The last of the names is the file that names the others: an old one is removed first and the new
// one comes last, so whoever reads the folder finds all files or none. A file that is replaced keeps its mode; a link
// is replaced by the file.
class OutputFolder {
 public:
  // Makes the folder. Throws UserError if one of the files could not be written, or is an input of this command.
  OutputFolder(std::string path, std::vector<std::string> names);

  std::string at(const std::string& name) const { return aside_.path() + "/" + name; }  // where to write it
  void keep();

 private:
  [[noreturn]] void fail(const std::string& name) const;

  const std::string path_;
  const std::vector<std::string> names_;
  const TemporaryFolder aside_;
};

}  // namespace fansim::base
