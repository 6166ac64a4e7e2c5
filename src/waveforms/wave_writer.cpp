// SPDX-License-Identifier: Apache-2.0
#include "waveforms/wave_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace fansim::waveforms {
namespace {

// Widths of the numbers of words. They are whole bytes, so that a signal has the same width in most files.
constexpr int kByte = 8, kMostBits = 32;

int bits_for(std::size_t words) {
  int bits = kByte;
  while (bits < kMostBits && words > std::size_t{1} << bits) bits += kByte;
  return bits;
}

}  // namespace

Words parse_words(const std::string& subcommand, const std::string& text) {
  const std::vector<std::string> names{"strings", "enums", "both"};
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end())
    throw base::UserError(fmt::format("{}: --vcd-words '{}': allowed: strings, enums, both{}", subcommand, text,
                                      base::did_you_mean(text, names)));
  return static_cast<Words>(found - names.begin());
}

std::size_t WaveWriter::declare(const std::string& name, int bits) {
  signals_.push_back({variables_.size(), false});
  variables_.push_back({name, bits, {}, {}, signals_.size() - 1});
  values_.push_back(0);
  return variables_.size() - 1;
}

std::size_t WaveWriter::declare(const std::string& name, const std::vector<std::string>& words) {
  const std::size_t first = signals_.size();
  if (words_ != Words::strings) signals_.push_back({variables_.size(), false});
  if (words_ != Words::enums) signals_.push_back({variables_.size(), true});
  variables_.push_back({name, bits_for(words.size()), words, {}, first});
  values_.push_back(0);
  return variables_.size() - 1;
}

WaveWriter::Scope WaveWriter::scopes() const {
  Scope all;
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    Scope* scope = &all.scopes["SystemC"];
    const std::string& name = variable_of(i).name;
    std::size_t at = 0;
    for (std::size_t dot; (dot = name.find('.', at)) != std::string::npos; at = dot + 1)
      scope = &scope->scopes[name.substr(at, dot - at)];
    scope->signals.push_back(i);
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

std::string WaveWriter::local_name(std::size_t signal) const {
  const Variable& variable = variable_of(signal);
  const std::string name = variable.name.substr(variable.name.rfind('.') + 1);
  if (signals_[signal].string) return words_ == Words::both ? name + "_word" : name;
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
  if (begun_) change_signals(variable);
}

void WaveWriter::change_signals(std::size_t variable) {
  const std::size_t first = variables_[variable].signal;
  for (std::size_t i = first; i < signals_.size() && signals_[i].variable == variable; ++i) change(i);
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
