// SPDX-License-Identifier: Apache-2.0
#include "cli/recording.h"

#include <sstream>
#include <stdexcept>

namespace fansim::test {

Recording::Recording(const std::string& vcd) {
  const std::string kEnd = "$enddefinitions";
  const std::size_t body = vcd.find(kEnd);
  std::istringstream header(vcd.substr(0, body));
  std::vector<std::string> scope;
  for (std::string word; header >> word;) {
    if (word == "$upscope") scope.pop_back();
    if (word == "$scope") {
      header >> word >> word;
      scope.push_back(word);
    } else if (word == "$var") {
      std::string id, name, bits;
      header >> word >> word >> id >> name >> bits;
      std::string path;
      for (const std::string& part : scope)
        if (part != "SystemC") path += part + ".";
      ids_[path + name + (bits[0] == '[' ? bits : "")] = id;
    }
  }
  std::istringstream lines(vcd.substr(body));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '$') continue;
    if (line[0] == '#') {
      steps_.push_back({std::stoll(line.substr(1)), {}});
      continue;
    }
    const std::size_t space = line.find(' ');
    if (steps_.empty()) throw std::runtime_error("a value before any time");
    if (space == std::string::npos)
      steps_.back().values.push_back({line.substr(1), line.substr(0, 1)});
    else
      steps_.back().values.push_back({line.substr(space + 1), line.substr(1, space - 1)});
  }
}

const std::string& Recording::id(const std::string& name) const {
  return ids_.at(name == "edge" ? "edge[47:0]" : name);
}

std::vector<std::vector<std::string>> Recording::edges(const std::vector<std::string>& names) const {
  const std::string& edge = id("edge");
  std::unordered_map<std::string, std::string> now;
  std::vector<std::vector<std::string>> all;
  for (const Step& step : steps_) {
    bool is_edge = false;
    for (const auto& [signal, value] : step.values) {
      is_edge = is_edge || (signal == edge && now[signal] != value);
      now[signal] = value;
    }
    if (!is_edge) continue;
    all.emplace_back();
    for (const std::string& name : names) all.back().push_back(now.at(id(name)));
  }
  return all;
}

std::vector<std::int64_t> Recording::times(const std::string& name, const std::string& to) const {
  const std::string& wanted = id(name);
  std::vector<std::int64_t> times;
  for (const Step& step : steps_)
    for (const auto& [signal, value] : step.values)
      if (signal == wanted && value == to) times.push_back(step.time);
  return times;
}

}  // namespace fansim::test
