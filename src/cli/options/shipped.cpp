// SPDX-License-Identifier: Apache-2.0
#include "cli/options/shipped.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/data.h"
#include "base/error.h"
#include "base/file.h"

namespace fansim::cli {
namespace {

struct ShippedKind {
  const char* what;
  std::vector<std::string> folders;
};

const std::string kSuffix = ".yaml";

const ShippedKind kConfigs{"configuration", {"configs/systems", "configs/boards"}};
const ShippedKind kNetworks{"network", {"models", "models/pipelines", "models/boards/vta"}};
const ShippedKind kSpaces{"space", {"configs/spaces"}};

// Lists the files folder by folder.
std::vector<std::string> files(const ShippedKind& kind) {
  std::vector<std::string> files;
  for (const std::string& folder : kind.folders) {
    const auto first = static_cast<std::ptrdiff_t>(files.size());
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(base::data_path(folder), none))
      if (entry.path().extension() == kSuffix) files.push_back(entry.path().string());
    std::sort(files.begin() + first, files.end());
  }
  return files;
}

std::vector<std::string> names(const ShippedKind& kind) {
  std::vector<std::string> names;
  for (const std::string& file : files(kind)) names.push_back(std::filesystem::path(file).stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string shipped(const std::string& word, const ShippedKind& kind) {
  if (word == "-" || word.find_first_of("/.") != std::string::npos || base::exists(word)) return word;
  for (const std::string& folder : kind.folders)
    if (std::string file = fmt::format("{}/{}{}", base::data_path(folder), word, kSuffix); base::exists(file))
      return file;
  throw base::UserError(fmt::format("{} '{}' unknown: neither a file nor one that comes with the program{}", kind.what,
                                    word, base::did_you_mean(word, names(kind))));
}

}  // namespace

std::string config_file(const std::string& word) { return shipped(word, kConfigs); }

std::string network_file(const std::string& word) { return shipped(word, kNetworks); }

std::string space_file(const std::string& word) { return shipped(word, kSpaces); }

std::vector<std::string> config_files() { return files(kConfigs); }

std::vector<std::string> network_files() { return files(kNetworks); }

std::vector<std::string> space_files() { return files(kSpaces); }

std::vector<std::string> shipped_configs() { return names(kConfigs); }

std::vector<std::string> shipped_networks() { return names(kNetworks); }

std::vector<std::string> shipped_spaces() { return names(kSpaces); }

}  // namespace fansim::cli
