// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::base {

// A folder that vanishes with this object. UserError if TMPDIR, or /tmp, takes none.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace fansim::base
