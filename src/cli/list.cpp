// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "accelerators/registry.h"
#include "base/console.h"
#include "base/data.h"
#include "base/error.h"
#include "base/yaml.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"
#include "primitives/catalogue.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

std::vector<std::string> device_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(base::data_path("configs/devices")))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

struct ListedKind {
  const char* name;
  std::vector<std::string> (*files)();
};
constexpr ListedKind kListedKinds[] = {
    {"configs", config_files}, {"models", network_files}, {"spaces", space_files}, {"devices", device_files}};

void add(report::Table& table, const ListedKind& kind) {
  for (const std::string& file : kind.files()) {
    const base::YamlNode document = base::load_yaml(file);
    const base::YamlNode* name = document.find("name");
    table.row({kind.name, name ? name->scalar : "", file});
  }
}

}  // namespace

int list(const Arguments& arguments) {
  Options options("list");
  options.positional("configs|models|spaces|devices|primitives|systems|vision", false);
  options.example("list", "all that comes with the program").example("list models", "its networks");
  if (!options.parse(arguments)) return kDone;
  const std::string what = options.text("configs|models|spaces|devices|primitives|systems|vision");
  report::Table table(3);
  std::vector<std::string> names;
  bool found = false;
  for (const ListedKind& kind : kListedKinds) {
    names.emplace_back(kind.name);
    if (!what.empty() && what != kind.name) continue;
    add(table, kind);
    found = true;
  }
  names.emplace_back("primitives");
  if (what.empty() || what == "primitives") {
    for (const primitives::Primitive& one : primitives::catalogue()) table.row({"primitives", one.name, one.meaning});
    found = true;
  }
  names.emplace_back("systems");
  if (what.empty() || what == "systems") {
    for (const accelerators::Kind& kind : accelerators::registry()) table.row({"systems", kind.system, kind.meaning});
    found = true;
  }
  // A machine with a table of its own gets that table.
  for (const accelerators::Kind& kind : accelerators::registry()) {
    if (kind.listing.rows == nullptr) continue;
    names.emplace_back(kind.listing.name);
    if (what != kind.listing.name) continue;
    report::Table own(3);
    for (const std::vector<std::string>& row : kind.listing.rows()) own.row(row);
    base::print_text(own.text());
    return kDone;
  }
  if (!found) throw base::UserError(fmt::format("list: '{}' unknown{}", what, base::did_you_mean(what, names)));
  base::print_text(table.text());
  return kDone;
}

}  // namespace fansim::cli
