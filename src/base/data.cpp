// SPDX-License-Identifier: Apache-2.0
#include "base/data.h"

#include <filesystem>

namespace fansim::base {

std::string data_path(const std::string& relative) {
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::filesystem::path installed = program.parent_path().parent_path() / "share" / "fansim";
  const std::filesystem::path root = !none && std::filesystem::exists(installed / "configs", none)
                                         ? installed
                                         : std::filesystem::path(FANSIM_SOURCE_DIR);
  return (root / relative).string();
}

}  // namespace fansim::base
