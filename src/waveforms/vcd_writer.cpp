// SPDX-License-Identifier: Apache-2.0
#include "waveforms/vcd_writer.h"

#include <fmt/format.h>

namespace fansim::waveforms {
namespace {

// Returns a to z, then names of two letters, and so on.
std::string identifier(std::size_t number) {
  constexpr std::size_t kLetters = 26;
  std::string letters;
  for (std::size_t left = number + 1; left > 0; left = (left - 1) / kLetters)
    letters += static_cast<char>('a' + (left - 1) % kLetters);
  return letters;
}

}  // namespace

void VcdWriter::begin() {
  text_ += fmt::format("$date $end\n$version fansim $end\n$timescale {} $end\n", unit_);
  for (std::size_t i = 0; i < signals().size(); ++i)
    ends_.push_back((signals()[i].string || variable_of(i).bits > 1 ? " " : "") + identifier(i) + "\n");
  declare_in(scopes());
  text_ += "$enddefinitions $end\n";
  stamp();
  text_ += "$dumpvars\n";
  for (std::size_t i = 0; i < ends_.size(); ++i) print(i);
  text_ += "$end\n";
}

void VcdWriter::declare_in(const Scope& scope) {
  for (const std::size_t i : scope.signals) {
    const bool string = signals()[i].string;
    text_ += fmt::format("$var {} {} {} {} $end\n", string ? "string" : "wire", string ? 1 : variable_of(i).bits,
                         identifier(i), local_name(i));
    if (is_enum(i)) declare_words(variable_of(i));
  }
  for (const auto& [name, inner] : scope.scopes) {
    text_ += fmt::format("$scope module {} $end\n", name);
    declare_in(inner);
    text_ += "$upscope $end\n";
  }
}

void VcdWriter::declare_words(const Variable& variable) {
  text_ += fmt::format("$comment words of {}:", variable.name);
  for (std::size_t i = 0; i < variable.words.size(); ++i) text_ += fmt::format(" {}={}", i, variable.words[i]);
  text_ += " $end\n";
}

void VcdWriter::change(std::size_t signal) {
  if (stamped_ != time()) stamp();
  print(signal);
}

void VcdWriter::stamp() {
  stamped_ = time();
  const fmt::format_int digits(stamped_);
  text_ += '#';
  text_.append(digits.data(), digits.size()) += '\n';
}

// Leading zeros are left out: readers extend a value with them.
void VcdWriter::print(std::size_t signal) {
  const std::size_t variable = signals()[signal].variable;
  const Variable& its = variable_of(signal);
  if (signals()[signal].string) {
    text_.append("s").append(word(variable));
  } else {
    if (its.bits > 1) text_ += 'b';
    if (!its.digits.empty())
      print_digits(its.digits);
    else if (fits(variable))
      print_value(value(variable));
    else
      text_ += 'x';
  }
  text_ += ends_[signal];
}

void VcdWriter::print_digits(const std::string& digits) {
  std::size_t first = 0;
  while (first + 1 < digits.size() && digits[first] == '0' && digits[first + 1] != 'x') ++first;
  text_.append(digits, first, std::string::npos);
}

void VcdWriter::print_value(std::uint64_t value) {
  char digits[64];
  char* first = digits + sizeof digits;
  do {
    *--first = static_cast<char>('0' + (value & 1));
    value >>= 1;
  } while (value > 0);
  text_.append(first, static_cast<std::size_t>(digits + sizeof digits - first));
}

}  // namespace fansim::waveforms
