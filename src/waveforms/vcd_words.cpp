// SPDX-License-Identifier: Apache-2.0
#include "waveforms/vcd_words.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

namespace fansim::waveforms {
namespace {

constexpr std::string_view kTop = "SystemC";  // SystemC's tracing puts every variable into this scope

// Calls `action` with each whole line, its end among it; returns what is behind the last one.
template <class Action>
std::string_view each_line(std::string_view text, const Action& action) {
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
    action(text.substr(0, end + 1));
  return text;
}

}  // namespace

void VcdWords::add(const std::string& name, const std::vector<std::string>& words) {
  const std::lock_guard lock(mutex_);
  named_[name] = words;
}

void VcdWords::add_clock(const std::string& name) {
  const std::lock_guard lock(mutex_);
  named_clocks_.insert(name);
}

std::string VcdWords::head(std::string_view text) {
  std::string all;
  std::vector<std::string> scope;
  const std::string_view values = each_line(text, [&](std::string_view line) { all += declaration(line, scope); });
  return all + body(values);
}

// $scope module NAME $end | $upscope $end | $var wire BITS ID NAME [15:0] $end
std::string VcdWords::declaration(std::string_view line, std::vector<std::string>& scope) {
  std::istringstream words{std::string(line)};
  std::string kind, type, bits, id, name;
  words >> kind >> type;
  if (kind == "$upscope" && !scope.empty()) scope.pop_back();
  if (kind == "$scope" && words >> name) scope.push_back(name);
  if (kind == "$var" && words >> bits >> id >> name) {
    std::string full;
    for (const std::string& part : scope)
      if (part != kTop) full += part + ".";
    const std::lock_guard lock(mutex_);
    if (const auto found = named_.find(full + name); found != named_.end()) {
      words_[id] = found->second;
      return fmt::format("$var string 1 {} {} $end\n", id, name);
    }
    if (named_clocks_.count(full + name) > 0) {
      words_[id] = {};
      return fmt::format("$var wire 1 {} {} $end\n", id, name);
    }
  }
  std::string same;
  append(line, same);
  return same;
}

std::string VcdWords::body(std::string_view part) {
  if (words_.empty() && line_.empty()) return std::string(part);
  const std::string text = line_ + std::string(part);
  std::string all;
  all.reserve(text.size());
  line_ = each_line(text, [&](std::string_view line) { append(line, all); });
  return all;
}

void VcdWords::append(std::string_view line, std::string& to) {
  if (line.front() == 'b') return value(line, to);
  if (line.front() == '#') fall(std::strtoll(std::string(line.substr(1)).c_str(), nullptr, 10), to);
  to += line;
}

// bCODE ID
void VcdWords::value(std::string_view line, std::string& to) {
  const std::size_t space = line.find(' ');
  const std::string id(line.substr(space + 1, line.size() - space - 2));
  const auto found = words_.find(id);
  if (found == words_.end()) {
    to += line;
    return;
  }
  std::size_t code = 0;
  for (const char bit : line.substr(1, space - 1)) code = 2 * code + (bit == '1' ? 1 : 0);
  if (!found->second.empty()) {
    to.append("s").append(found->second.at(code)).append(" ").append(id).append("\n");
    return;
  }
  to.append(code > 0 ? "1" : "0").append(id).append("\n");
  if (code > 0) high_.push_back(id);
}

// All clocks that are high, before that time.
void VcdWords::fall(std::int64_t time, std::string& to) {
  if (!high_.empty()) to += fmt::format("#{}\n", time_ + (time - time_) / 2);
  for (const std::string& clock : high_) to.append("0").append(clock).append("\n");
  high_.clear();
  time_ = time;
}

}  // namespace fansim::waveforms
