// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/fields.h"

namespace fansim::primitives {

// 256 bits, the least significant word first: an INIT_xx of a block RAM.
using Word256 = std::array<std::uint64_t, 4>;

struct AttributeRow {
  std::string name;
  std::string legal;     // "0..2", "DIRECT | CASCADE", "48 bits"
  std::string fallback;  // its default, as the vendor writes it
};

// Lists what Attributes declare.
class AttributeTable {
 public:
  void integer(const std::string& name, const int& value, int lo, int hi);
  void bits(const std::string& name, const std::uint64_t& value, int width);
  void bits(const std::string& name, const Word256& value, int width);
  void text(const std::string& name, const std::string& value, const std::string& legal);
  template <class Enum>
  void choice(const std::string& name, const Enum& value, base::Choices<Enum> choices) {
    AttributeRow row{name, "", ""};
    for (const auto& choice : choices) {
      row.legal += (row.legal.empty() ? "" : " | ") + std::string(choice.second);
      if (choice.first == value) row.fallback = choice.second;
    }
    rows_.push_back(row);
  }
  const std::vector<AttributeRow>& rows() const { return rows_; }

 private:
  std::vector<AttributeRow> rows_;
};

// Sets the attribute of one `NAME=VALUE`. VALUE is a number (decimal, 0x..., or a Verilog literal such as 48'h3f) or a
// word, with or without quotation marks. found(): NAME was declared.
class AttributeSetter {
 public:
  explicit AttributeSetter(const std::string& setting);

  void integer(const std::string& name, int& value, int lo, int hi);
  void bits(const std::string& name, std::uint64_t& value, int width);
  void bits(const std::string& name, Word256& value, int width);
  void text(const std::string& name, std::string& value, const std::string& legal);
  template <class Enum>
  void choice(const std::string& name, Enum& value, base::Choices<Enum> choices) {
    if (!is(name)) return;
    std::vector<std::string> words;
    for (const auto& choice : choices) words.emplace_back(choice.second);
    value = (choices.begin() + index_of(words))->first;
  }

  const base::Location& where() const { return where_; }
  const std::string& name() const { return name_; }
  bool found() const { return found_; }

 private:
  bool is(const std::string& name);
  int index_of(const std::vector<std::string>& words) const;
  Word256 number(int width) const;

  base::Location where_;
  std::string name_, value_;
  bool found_ = false;
};

// What a hexadecimal digit is worth; 99: it is none.
int hex_digit(char c);

// A number of at most `width` bits as the vendor's sources write it; UserError at `where` otherwise.
Word256 parse_number(const std::string& text, int width, const base::Location& where);

}  // namespace fansim::primitives
