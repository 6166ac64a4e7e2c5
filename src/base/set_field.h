// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"

namespace fansim::base {

// Sets one field of a visited struct from the text that a file would hold. A cost is counted later, with follow().
class SetField {
 public:
  SetField(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}

  bool found() const { return found_; }
  // Says what is wrong with the text; empty if the field has its value.
  const std::string& problem() const { return problem_; }

  void field(const char* name, int& value, int lo, int hi, const Doc&);
  void field(const char* name, double& value, double lo, double hi, const Doc&);
  void field(const char* name, Cost& value, int lo, int hi, const Doc&);
  void field(const char* name, Bandwidth& value, int lo, int hi, const Doc&);
  void field(const char* name, bool& value, const Doc&);
  void field(const char* name, std::string& value, const Doc&);
  template <class Enum>
  void choice(const char* name, Enum& value, Choices<Enum> choices, const Doc&) {
    if (!is(name)) return;
    std::vector<std::string> words;
    for (const auto& choice : choices) {
      if (text_ == choice.second) {
        value = choice.first;
        return;
      }
      words.emplace_back(choice.second);
    }
    no_choice(words);
  }

 private:
  template <class Value>
  using Reader = std::string (*)(std::string_view, Value&);
  template <class Value>
  void with_unit(const char* name, Value& value, int lo, int hi, Reader<Value> read);
  void no_choice(const std::vector<std::string>& words);
  bool is(const char* name) {
    if (name_ != name) return false;
    found_ = true;
    return true;
  }

  std::string name_, text_, problem_;
  bool found_ = false;
};

}  // namespace fansim::base
