// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/temporary_folder.h"

namespace fansim::test {

// A folder in which mutants lie among the files that they name, and the working directory as long as it is there:
// configs/ and models/ as they come with the program, with mutant/ beside their folders, and files that the program
// writes and reads, made by this build of it.
class Workshop {
 public:
  Workshop();
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  const std::string& path() const { return folder_.path(); }

 private:
  const base::TemporaryFolder folder_;
  const std::string before_;
};

// The smallest network there.
inline const std::string kTiny = "models/mutant/tiny.yaml";

// Files of the source tree, by folder and how their names end, in their order; without comments if they are text.
std::vector<std::string> text_seeds(const std::string& folder, const std::string& ending);
std::vector<std::string> files_in_source(const std::string& folder, const std::string& ending);
std::string without_comments(const std::string& text);
std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace fansim::test
