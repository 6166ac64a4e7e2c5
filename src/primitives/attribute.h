// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/fields.h"

namespace fansim::primitives {

// 256 bits, the least significant word first, such as an INIT_xx of a block RAM.
using Word256 = std::array<std::uint64_t, 4>;

struct AttributeRow {
  std::string name;
  std::string legal;     // such as "0..2", "DIRECT | CASCADE" or "48 bits"
  std::string fallback;  // the default, as the vendor writes it
};

// Lists the attributes that a struct of Attributes declares.
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
// word, with or without quotation marks. found() says whether NAME was declared.
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

// Returns the value of a hexadecimal digit, or 99 if the character is none.
int hex_digit(char c);

// Reads a number of at most `width` bits as the vendor's sources write it. Throws UserError at `where` if it is none.
Word256 parse_number(const std::string& text, int width, const base::Location& where);

}  // namespace fansim::primitives
