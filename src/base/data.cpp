// SPDX-License-Identifier: Apache-2.0
#include "base/data.h"

#include <filesystem>

namespace fansim::base {
namespace {

namespace fs = std::filesystem;

// Looks for share/fansim in the program's folder and in those above it. In a build, share/fansim holds links to the
// sources, and the sources' folder is returned. If the program lies elsewhere, the usual places of installations and
// packages are returned.
fs::path find_root() {
  std::error_code none;
  const auto has = [&none](const fs::path& root) { return fs::exists(root / "configs", none); };
  fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (const fs::path root = folder / "share" / "fansim"; has(root))
      return fs::is_symlink(root / "configs", none) ? fs::read_symlink(root / "configs", none).parent_path() : root;
  const fs::path local = "/usr/local/share/fansim";
  return has(local) ? local : "/usr/share/fansim";
}

}  // namespace

std::string data_path(const std::string& relative) {
  static const fs::path kRoot = find_root();
  return (kRoot / relative).string();
}

}  // namespace fansim::base
