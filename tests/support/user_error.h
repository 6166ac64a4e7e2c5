// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "base/error.h"

namespace fansim::test {

// Returns what the user would read, or "" if there is no error.
template <class Action>
std::string message_of(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "";
}

// Makes a directory that exists as long as the object.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "fansim.XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace fansim::test
