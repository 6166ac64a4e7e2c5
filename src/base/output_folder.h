// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/temporary_folder.h"

namespace fansim::base {

// Files that belong together, on their way into a folder. They are written aside, and take their places when all of
// them are there. The last of their names is the file that names the others: an older one of it goes first and the new
// one comes last, so whoever reads the folder finds all or none. What is replaced keeps its mode; a link does not stay.
class OutputFolder {
 public:
  // Makes the folder. UserError if one of the files could not be written, or is an input of this command.
  OutputFolder(std::string path, std::vector<std::string> names);

  std::string at(const std::string& name) const { return aside_.path() + "/" + name; }  // to be written there
  void keep();

 private:
  [[noreturn]] void fail(const std::string& name) const;

  const std::string path_;
  const std::vector<std::string> names_;
  const TemporaryFolder aside_;
};

}  // namespace fansim::base
