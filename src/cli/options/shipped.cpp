// SPDX-License-Identifier: Apache-2.0
#include "cli/options/shipped.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "base/data.h"
#include "base/error.h"
#include "base/file.h"

namespace fansim::cli {
namespace {

struct Shelf {
  const char* what;
  std::vector<std::string> folders;
};

const std::string kSuffix = ".yaml";

std::string shipped(const std::string& word, const Shelf& shelf) {
  if (word == "-" || word.find_first_of("/.") != std::string::npos || base::exists(word)) return word;
  std::vector<std::string> known;
  for (const std::string& folder : shelf.folders) {
    const std::string path = base::data_path(folder);
    if (std::string file = fmt::format("{}/{}{}", path, word, kSuffix); base::exists(file)) return file;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(path, none))
      if (entry.path().extension() == kSuffix) known.push_back(entry.path().stem().string());
  }
  throw base::UserError(fmt::format("{} '{}' unknown: neither a file nor one that comes with the program{}", shelf.what,
                                    word, base::did_you_mean(word, known)));
}

}  // namespace

std::string config_file(const std::string& word) {
  return shipped(word, {"configuration", {"configs/systems", "configs/boards"}});
}

std::string network_file(const std::string& word) {
  return shipped(word, {"network", {"models", "models/pipelines", "models/boards"}});
}

std::string space_file(const std::string& word) { return shipped(word, {"space", {"configs/spaces"}}); }

}  // namespace fansim::cli
