// SPDX-License-Identifier: Apache-2.0
#include "base/output_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/output_files.h"

namespace fansim::base {
namespace {

// Runs before the members are made, since it makes the folder.
std::string prepared(const std::string& path, const std::vector<std::string>& names) {
  prepare_folder(path, names);
  return path + "/" + names.back();
}

}  // namespace

OutputFolder::OutputFolder(std::string path, std::vector<std::string> names)
    : path_(std::move(path)), names_(std::move(names)), aside_(prepared(path_, names_)) {}

void OutputFolder::fail(const std::string& name) const {
  throw UserError(Location{path_ + "/" + name, 0, 0}, std::string("cannot write: ") + std::strerror(errno));
}

void OutputFolder::keep() {
  const auto target = [this](const std::string& name) { return path_ + "/" + name; };
  constexpr mode_t kPermissions = 07777;
  struct stat older {};
  for (const std::string& name : names_)
    if (::stat(target(name).c_str(), &older) == 0) ::chmod(at(name).c_str(), older.st_mode & kPermissions);
  if (::unlink(target(names_.back()).c_str()) != 0 && errno != ENOENT) fail(names_.back());
  for (const std::string& name : names_)
    if (std::rename(at(name).c_str(), target(name).c_str()) != 0) fail(name);
}

}  // namespace fansim::base
