// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "estimate/utilisation.h"

namespace fansim::estimate {
namespace {

using base::UserError;
using contract::Resources;
using Json = nlohmann::json;

// Lists the UltraScale+ cells (UG974). A distributed RAM occupies the LUTs of its slice. Multiplexers, carry chains and
// buffers are in no device table, so they count nothing.
const std::map<std::string, Resources>& cells() {
  static const std::map<std::string, Resources> table = [] {
    std::map<std::string, Resources> all;
    for (const char* name : {"LUT1", "LUT2", "LUT3", "LUT4", "LUT5", "LUT6", "LUT6_2", "INV", "SRL16E", "SRLC32E",
                             "CFGLUT5", "RAM32X1S", "RAM64X1S"})
      all[name] = {0, 1, 0, 0};
    for (const auto& [name, luts] : {std::pair{"RAM32X1D", 2},
                                     {"RAM64X1D", 2},
                                     {"RAM128X1S", 2},
                                     {"RAM128X1D", 4},
                                     {"RAM256X1S", 4},
                                     {"RAM32M", 4},
                                     {"RAM64M", 4},
                                     {"RAM256X1D", 8},
                                     {"RAM512X1S", 8},
                                     {"RAM32M16", 8},
                                     {"RAM64M8", 8},
                                     {"RAM64X8SW", 8},
                                     {"RAM32X16DR8", 8}})
      all[name] = {0, luts, 0, 0};
    for (const char* name : {"FDRE", "FDSE", "FDCE", "FDPE"}) all[name] = {0, 0, 1, 0};
    for (const char* name :
         {"MUXF7", "MUXF8", "MUXF9", "CARRY4", "CARRY8", "IBUF", "OBUF", "BUFG", "BUFGCE", "VCC", "GND"})
      all[name] = {};
    all["RAMB18E2"] = {0, 0, 0, 0.5};
    all["RAMB36E2"] = {0, 0, 0, 1};
    all["DSP48E2"] = {1, 0, 0, 0};
    return all;
  }();
  return table;
}

std::string plain(const std::string& name) { return name.rfind('\\', 0) == 0 ? name.substr(1) : name; }

// Returns adder_tree for "$paramod$1a2b\adder_tree" and for "$paramod\adder_tree\WIDTH=...".
std::string base_name(const std::string& module) {
  if (module.rfind("$paramod", 0) != 0) return plain(module);
  const std::size_t start = module.find('\\');
  if (start == std::string::npos) return module;
  const std::size_t end = module.find('\\', start + 1);
  return module.substr(start + 1, end == std::string::npos ? end : end - start - 1);
}

class YosysReader {
 public:
  YosysReader(const Json& modules, const std::string& file) : file_(file) {
    for (const auto& [name, module] : modules.items()) modules_[plain(name)] = module.at("num_cells_by_type");
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
      const bool inside = std::any_of(modules_.begin(), modules_.end(),
                                      [&, &part = name](const auto& other) { return other.second.contains(part); });
      if (!inside) tops.push_back(name);
    }
    if (tops.size() != 1) fail(fmt::format("expected one top module, found {}", tops.size()));
    return tops[0];
  }

  [[noreturn]] void fail(const std::string& text) const { throw UserError(base::Location{file_, 0, 0}, text); }

 private:
  // Counts up to the limits and stops there.
  struct Size {
    std::int64_t cells = 0, instances = 1;
  };

  // Visits each module once, however often it is instantiated.
  Size size_of(const std::string& module, int depth) {
    constexpr int kDeepest = 100;
    if (depth > kDeepest) fail(fmt::format("module {} contains itself", module));
    const auto known = sizes_.find(module);
    if (known != sizes_.end()) return known->second;
    Size size;
    for (const auto& [cell, number] : modules_.at(module).items()) {
      if (!number.is_number_unsigned()) fail(fmt::format("{}: expected a count, found {}", cell, number.dump()));
      const auto count =
          static_cast<std::int64_t>(std::min(number.get<std::uint64_t>(), std::uint64_t{kMostCells + 1}));
      const Size one = modules_.count(cell) > 0 ? size_of(cell, depth + 1) : Size{1, 0};
      size.cells = std::min(size.cells + count * one.cells, kMostCells + 1);
      size.instances = std::min(size.instances + count * one.instances, kMostInstances + 1);
    }
    return sizes_[module] = size;
  }

  Instance instance(const std::string& module, const std::string& name) const {
    Instance result{name, base_name(module), {}, {}};
    for (const auto& [cell, number] : modules_.at(module).items()) {
      const int count = number.get<int>();
      if (modules_.count(cell) > 0) {
        const Instance part = instance(cell, base_name(cell));
        for (int i = 0; i < count; ++i) {
          result.use += part.use;
          result.below.push_back(part);
        }
        continue;
      }
      const auto known = cells().find(plain(cell));
      if (known == cells().end()) fail(fmt::format("cell {} is of another device than UltraScale+", cell));
      const Resources& one = known->second;
      result.use += {one.dsp * count, one.lut * count, one.ff * count, one.bram36 * count};
    }
    return result;
  }

  std::map<std::string, Json> modules_;  // cells by type
  std::map<std::string, Size> sizes_;
  const std::string& file_;
};

// Yosys 0.23 mixes its text about the hierarchy, "name  count", into the JSON of a design of several modules.
std::string without_hierarchy(const std::string& text) {
  std::istringstream lines(text);
  std::string json;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string::npos && std::string("{}\"").find(line[first]) != std::string::npos) json += line + "\n";
  }
  return json;
}

}  // namespace

Utilisation parse_yosys(const std::string& text, const std::string& file) {
  try {
    const Json modules = Json::parse(without_hierarchy(text)).at("modules");
    YosysReader reader(modules, file);
    const std::string top = reader.top();
    Utilisation result{file, "Yosys", "", reader.design(top), true};
    return result;
  } catch (const Json::exception& error) {
    throw UserError(base::Location{file, 0, 0},
                    fmt::format("not a complete report of Yosys's stat -json: {}", error.what()));
  }
}

Utilisation read_utilisation(const std::string& path) {
  const std::string text = base::read_file(path);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{' ? parse_yosys(text, path) : parse_vivado(text, path);
}

}  // namespace fansim::estimate
