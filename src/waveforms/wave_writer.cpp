// SPDX-License-Identifier: Apache-2.0
#include "waveforms/wave_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fansim::waveforms {

std::size_t WaveWriter::declare(const std::string& name, int bits) {
  variables_.push_back({name, bits, {}, {}});
  values_.push_back(0);
  return variables_.size() - 1;
}

std::size_t WaveWriter::declare(const std::string& name, const std::vector<std::string>& words) {
  variables_.push_back({name, 1, words, {}});
  values_.push_back(0);
  return variables_.size() - 1;
}

WaveWriter::Scope WaveWriter::scopes() const {
  Scope all;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    Scope* scope = &all.scopes["SystemC"];
    const std::string& name = variables_[i].name;
    std::size_t at = 0;
    for (std::size_t dot; (dot = name.find('.', at)) != std::string::npos; at = dot + 1)
      scope = &scope->scopes[name.substr(at, dot - at)];
    scope->variables.push_back(i);
  }
  return all;
}

std::string WaveWriter::digits(std::size_t variable) const {
  const Variable& its = variables_[variable];
  if (!its.digits.empty()) return its.digits;
  std::string digits(static_cast<std::size_t>(its.bits), fits(variable) ? '0' : 'x');
  if (!fits(variable)) return digits;
  for (std::size_t bit = 0; bit < std::min<std::size_t>(digits.size(), 64); ++bit)
    if ((values_[variable] >> bit & 1) != 0) digits[digits.size() - 1 - bit] = '1';
  return digits;
}

std::string WaveWriter::local_name(const Variable& variable) {
  const std::string name = variable.name.substr(variable.name.rfind('.') + 1);
  return variable.bits > 1 ? fmt::format("{} [{}:0]", name, variable.bits - 1) : name;
}

void WaveWriter::at(std::int64_t time) {
  if (begun() && !std::exchange(begun_, true)) begin();
  time_ = time;
  if (text_.size() > kFull) flush();
}

void WaveWriter::set(std::size_t variable, std::string_view digits) {
  Variable& changed = variables_[variable];
  if (changed.digits == digits) return;
  changed.digits = digits;
  if (begun_) change(variable);
}

void WaveWriter::close() {
  if (!begun()) return;
  if (!std::exchange(begun_, true)) begin();
  end();
  flush();
}

void WaveWriter::flush() {
  sink_(text_);
  text_.clear();
}

}  // namespace fansim::waveforms
