// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/temporary_folder.h"

namespace fansim::test {

// Makes a folder in which mutants lie among the files that they name, and makes it the working directory for its
// lifetime. It holds configs/ and models/ as shipped, with a folder mutant/ in each, and files that the program writes
// and reads, made by this build.
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

// This is the smallest network in the workshop.
inline const std::string kTiny = "models/mutant/tiny.yaml";

// Files of the source tree, by folder and how their names end, in their order; without comments if they are text.
std::vector<std::string> text_seeds(const std::string& folder, const std::string& ending);
std::vector<std::string> files_in_source(const std::string& folder, const std::string& ending);
std::string without_comments(const std::string& text);
std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace fansim::test
