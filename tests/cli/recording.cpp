// SPDX-License-Identifier: Apache-2.0
#include "cli/recording.h"

#include <sstream>
#include <stdexcept>

namespace fansim::test {
namespace {

std::string binary(int value) {
  std::string digits(1, value % 2 == 1 ? '1' : '0');
  return value < 2 ? digits : binary(value / 2) + digits;
}

}  // namespace

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
    } else if (word == "$comment") {
      std::string text;
      std::getline(header, text);
      const std::string begin = " words of ", end = " $end";
      const std::size_t colon = text.find(": ");
      if (text.compare(0, begin.size(), begin) != 0 || text.substr(text.size() - end.size()) != end)
        throw std::runtime_error("a comment that tells no words:" + text);
      read_words(text.substr(begin.size(), colon - begin.size()),
                 text.substr(colon + 2, text.size() - end.size() - colon - 2));
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
    const bool bit = space == std::string::npos;
    const std::string which = bit ? line.substr(1) : line.substr(space + 1);
    const std::string value = bit ? line.substr(0, 1) : line.substr(1, space - 1);
    const auto words = words_.find(which);
    steps_.back().values.push_back({which, words == words_.end() ? value : words->second.at(value)});
  }
}

// Reads "0=idle 1=busy".
void Recording::read_words(const std::string& name, const std::string& numbers) {
  for (const char* range : {"[7:0]", "[15:0]"})
    if (has(name + range)) ids_[name] = ids_.at(name + range);
  std::istringstream pairs(numbers);
  for (std::string pair; pairs >> pair;) {
    const std::size_t equals = pair.find('=');
    words_[ids_.at(name)][binary(std::stoi(pair.substr(0, equals)))] = pair.substr(equals + 1);
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
