// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "estimate/utilisation.h"
#include "estimate/xilinx_cells.h"

namespace fansim::estimate {
namespace {

using base::UserError;
using contract::Resources;
using Json = nlohmann::json;
using Counts = std::map<std::string, std::int64_t>;

std::string plain(const std::string& name) { return name.rfind('\\', 0) == 0 ? name.substr(1) : name; }

// Returns adder_tree for "$paramod$1a2b\adder_tree" and for "$paramod\adder_tree\WIDTH=...".
std::string base_name(const std::string& module) {
  if (module.rfind("$paramod", 0) != 0) return plain(module);
  const std::size_t start = module.find('\\');
  if (start == std::string::npos) return module;
  const std::size_t end = module.find('\\', start + 1);
  return module.substr(start + 1, end == std::string::npos ? end : end - start - 1);
}

// Holds one module: its own cells, and how often it instantiates other modules.
struct Module {
  Counts cells, parts;
};

// Holds what tells of the device's family, by the cells that only one of them has.
struct Families {
  std::string seven_series, later;  // such a cell; empty: none was seen
};

class YosysReader {
 public:
  YosysReader(const Json& modules, const std::string& file) : file_(file) {
    for (const auto& [name, module] : modules.items()) modules_[plain(name)];
    for (const auto& [name, module] : modules.items()) {
      Module& read = modules_[plain(name)];
      read_counts(module.at("num_cells_by_type"), read);
      if (module.contains("num_submodules_by_type")) read_counts(module.at("num_submodules_by_type"), read);
    }
  }

  // Returns the whole design below a module.
  Instance design(const std::string& module) {
    const Size size = size_of(module, 0);
    if (size.cells > kMostCells) fail(fmt::format("more than the {} cells that any device has", kMostCells));
    if (size.instances > kMostInstances) fail(fmt::format("more than {} instances of modules", kMostInstances));
    return instance(module, base_name(module));
  }

  // Returns the module that no other module contains.
  std::string top() const {
    std::vector<std::string> tops;
    for (const auto& [name, unused] : modules_) {
      const bool inside = std::any_of(modules_.begin(), modules_.end(), [&, &part = name](const auto& other) {
        return other.second.parts.count(part) > 0;
      });
      if (!inside) tops.push_back(name);
    }
    if (tops.size() != 1)
      fail(fmt::format("expected one top module, found {}; run hierarchy -top MODULE before stat", tops.size()));
    return tops[0];
  }

  std::optional<FamilySign> family() const {
    if (!families_.seven_series.empty() && !families_.later.empty())
      fail(fmt::format("it has cells of two device families: {} and {}", families_.seven_series, families_.later));
    if (!families_.seven_series.empty()) return FamilySign{"it has " + families_.seven_series, true};
    if (!families_.later.empty()) return FamilySign{"it has " + families_.later, false};
    return std::nullopt;
  }

  [[noreturn]] void fail(const std::string& text) const { throw UserError(base::Location{file_, 0, 0}, text); }

 private:
  // Counts up to the limits and stops there.
  struct Size {
    std::int64_t cells = 0, instances = 1;
  };

  // Reads counts by type. Yosys counts modules among the cells or apart. With -hierarchy (Yosys 0.55 and later) a count
  // is an object: its cells are a module's own in "local_count", and its modules are in "count", which is theirs alone.
  void read_counts(const Json& counts, Module& into) const {
    for (const auto& [cell, number] : counts.items()) {
      if (cell.rfind("$scopeinfo", 0) == 0) continue;  // names a scope that was flattened
      if (modules_.count(plain(cell)) > 0)
        into.parts[plain(cell)] += count(cell, number.is_object() ? number.at("count") : number);
      else
        into.cells[plain(cell)] += count(cell, number.is_object() ? number.at("local_count") : number);
    }
  }

  std::int64_t count(const std::string& cell, const Json& number) const {
    std::uint64_t value = 0;
    bool known = number.is_number_unsigned();
    if (known) value = number.get<std::uint64_t>();
    if (number.is_string()) {
      const std::string& text = number.get_ref<const std::string&>();
      known = !text.empty() && text.size() < 19 && text.find_first_not_of("0123456789") == std::string::npos;
      if (known) value = std::stoull(text);
    }
    if (!known) fail(fmt::format("{}: expected a count, found {}", cell, number.dump().substr(0, 60)));
    return static_cast<std::int64_t>(std::min(value, std::uint64_t{kMostCells + 1}));
  }

  // Visits each module once, however often it is instantiated.
  Size size_of(const std::string& module, int depth) {
    constexpr int kDeepest = 100;
    if (depth > kDeepest) fail(fmt::format("module {} contains itself", module));
    const auto known = sizes_.find(module);
    if (known != sizes_.end()) return known->second;
    Size size;
    const auto add = [&](std::int64_t count, const Size& one) {
      size.cells = std::min(size.cells + count * one.cells, kMostCells + 1);
      size.instances = std::min(size.instances + count * one.instances, kMostInstances + 1);
    };
    for (const auto& [cell, count] : modules_.at(module).cells) add(count, {1, 0});
    for (const auto& [part, count] : modules_.at(module).parts) add(count, size_of(part, depth + 1));
    return sizes_[module] = size;
  }

  Instance instance(const std::string& module, const std::string& name) {
    Instance result{name, base_name(module), {}, {}};
    const Module& holds = modules_.at(module);
    for (const auto& [cell, count] : holds.cells)
      if (count > 0) add(cell, static_cast<int>(count), result.use);
    for (const auto& [module_below, count] : holds.parts) {
      if (count == 0) continue;
      const Instance part = instance(module_below, base_name(module_below));
      for (std::int64_t i = 0; i < count; ++i) {
        result.use += part.use;
        result.below.push_back(part);
      }
    }
    return result;
  }

  void add(const std::string& name, int count, Resources& use) {
    const std::optional<Cell> cell = xilinx_cell(name);
    if (!cell && name.rfind('$', 0) == 0)
      fail(fmt::format("cell {} is not mapped to a device: run synth_xilinx before stat", name));
    if (!cell) fail(fmt::format("cell {} is of another device than 7 series and UltraScale+", name));
    if (cell->seven_series) (*cell->seven_series ? families_.seven_series : families_.later) = name;
    const Resources& one = cell->use;
    use += {one.dsp * count, one.lut * count, one.ff * count, one.bram36 * count, one.lutram * count, one.uram * count};
  }

  std::map<std::string, Module> modules_;
  std::map<std::string, Size> sizes_;
  Families families_;
  const std::string& file_;
};

// Returns where the JSON begins: an object whose first key is one of stat's. Logs have other text before it.
std::size_t start_of_json(const std::string& text) {
  for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos; ++at) {
    const std::size_t key = text.find_first_not_of(" \t\r\n", at + 1);
    if (key == std::string::npos) break;
    for (const char* first : {"\"creator\"", "\"invocation\"", "\"modules\""})
      if (text.compare(key, std::string(first).size(), first) == 0) return at;
  }
  return std::string::npos;
}

// Returns the JSON alone. Yosys 0.23 mixes its text about the hierarchy, "name  count", into that of a design of
// several modules, and with -tech leaves a comma out and one in.
std::string json_of(const std::string& text) {
  std::istringstream lines(text.substr(std::min(start_of_json(text), text.size())));
  std::string json;
  std::int64_t open = 0;
  bool inside = false;  // a string
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || std::string("{}\"").find(line[first]) == std::string::npos) continue;
    if (line.find("\"estimated_num_lc\"") == first && line.find_last_of(',') != std::string::npos) continue;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (inside && line[i] == '\\')
        ++i;
      else if (line[i] == '"')
        inside = !inside;
      else if (!inside && line[i] == '{')
        ++open;
      else if (!inside && line[i] == '}' && --open == 0)
        return json + line.substr(0, i + 1);
    }
    json += line + "\n";
  }
  return json;
}

}  // namespace

bool is_of_yosys(const std::string& text) { return start_of_json(text) != std::string::npos; }

Utilisation parse_yosys(const std::string& text, const std::string& file) {
  try {
    const Json modules = Json::parse(json_of(text)).at("modules");
    YosysReader reader(modules, file);
    const std::string top = reader.top();
    Utilisation result{file, "Yosys", "", reader.design(top), false};
    result.has_hierarchy = !result.top.below.empty();
    result.family = reader.family();
    return result;
  } catch (const Json::exception& error) {
    throw UserError(base::Location{file, 0, 0},
                    fmt::format("not a complete report of Yosys's stat -json: {}", error.what()));
  }
}

Utilisation read_utilisation(const std::string& path) {
  const std::string text = base::read_file(path);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (is_of_yosys(text)) return parse_yosys(text, path);
  if (first != std::string::npos && text[first] == '{')
    throw UserError(base::Location{path, 0, 0},
                    "not a complete report of Yosys's stat -json: no object that begins with creator or modules");
  return parse_vivado(text, path);
}

}  // namespace fansim::estimate
