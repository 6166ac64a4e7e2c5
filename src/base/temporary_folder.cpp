// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_folder.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/own_name.h"

namespace fansim::base {

TemporaryFolder::TemporaryFolder() {
  constexpr mode_t kPrivate = 0700;
  const char* const chosen = std::getenv("TMPDIR");
  const std::string parent = chosen && *chosen ? chosen : "/tmp";
  remove_stale(parent + "/fansim");
  path_ = make_own(parent + "/fansim", [](const std::string& name) { return ::mkdir(name.c_str(), kPrivate) == 0; });
  if (path_.empty())
    throw UserError(Location{parent, 0, 0}, std::string("takes no temporary folder: ") + std::strerror(errno));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace fansim::base
