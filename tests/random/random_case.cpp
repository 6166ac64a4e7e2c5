// SPDX-License-Identifier: Apache-2.0
#include "random/random_case.h"

#include <algorithm>

#include "base/yaml.h"

namespace fansim::test {

std::string Case::body() const {
  std::string text = "input: " + input + "\n" + list + ":\n";
  for (const std::string& layer : layers) text += layer;
  return text;
}

std::string Case::network() const { return "version: 1\nname: random\n" + body(); }

std::string Case::replay(const std::string& network_file) const {
  std::string text = "fansim run " + base + " " + network_file + " --cross-check";
  for (const std::string& setting : settings) text += " --set " + setting;
  return text;
}

std::string Case::file(const std::string& why) const {
  std::string text =
      "# SPDX-License-Identifier: Apache-2.0\nversion: 1\nwhy: " + why + "\nbase: " + base + "\nsettings:\n";
  for (const std::string& setting : settings) text += "  - '" + setting + "'\n";
  text += "input: '" + input + "'\n" + list + ":\n";
  for (const std::string& layer : layers) {
    text += "  - |\n";
    for (std::size_t at = 0; at < layer.size();) {
      const std::size_t end = std::min(layer.find('\n', at), layer.size());
      text += "    " + layer.substr(at, end - at) + "\n";
      at = end + 1;
    }
  }
  return text;
}

Case Case::read(const std::string& path) {
  base::YamlMap map(base::load_yaml(path));
  Case c;
  map.integer("version", 1, 1);
  map.text("why");
  c.base = map.text("base");
  for (const base::YamlNode& setting : map.find("settings")->items) c.settings.push_back(setting.scalar);
  c.input = map.text("input");
  if (map.has("stages")) c.list = "stages";
  for (const base::YamlNode& layer : map.find(c.list)->items) {
    // A block of text comes without the indentation of its lines.
    std::string& lines = c.layers.emplace_back();
    for (std::size_t at = 0; at < layer.scalar.size();) {
      const std::size_t end = layer.scalar.find('\n', at);
      lines += "  " + layer.scalar.substr(at, end - at) + "\n";
      at = end + 1;
    }
  }
  map.finish();
  return c;
}

}  // namespace fansim::test
