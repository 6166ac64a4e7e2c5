// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/own_name.h"

namespace fansim::base {
namespace {

std::string chosen_folder() {
  const char* const chosen = std::getenv("TMPDIR");
  return chosen && *chosen ? chosen : "/tmp";
}

}  // namespace

TemporaryFolder::TemporaryFolder() : TemporaryFolder(chosen_folder() + "/fansim") {}

TemporaryFolder::TemporaryFolder(const std::string& path) {
  remove_stale(path);
  const Own own = make_own_folder(path);
  if (own.descriptor < 0)
    throw UserError(Location{std::filesystem::path(path).parent_path().string(), 0, 0},
                    std::string("takes no temporary folder: ") + std::strerror(errno));
  path_ = own.name;
  lock_ = own.descriptor;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  ::close(lock_);
}

}  // namespace fansim::base
