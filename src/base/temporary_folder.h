// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::base {

// A folder that vanishes with this object.
class TemporaryFolder {
 public:
  TemporaryFolder();  // lies in TMPDIR, or in /tmp
  // Makes the folder beside `path`, under a name made from it.
  explicit TemporaryFolder(const std::string& path);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;
};

}  // namespace fansim::base
