// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "base/cost.h"
#include "base/effect.h"
#include "base/yaml.h"

// A config struct declares each parameter once, in visit():
//
//   template <class V> void visit(V&& v) {
//     v.field("lanes", lanes, 2, 1024, "products summed per beat");
//     v.choice("rounding", rounding, {{Rounding::half_up, "half_up"}, {Rounding::truncate, "truncate"}}, "...");
//   }
//
// A visitor takes field(name, int& | double& | Cost& | Bandwidth&, lo, hi, doc), field(name, bool& | std::string&, doc)
// and choice(name, Enum&, {{value, word}...}, doc). A doc is a text, or {text, effect}. The limits of a Cost are edges,
// those of a Bandwidth bits a cycle.
namespace fansim::base {

template <class Enum>
using Choices = std::initializer_list<std::pair<Enum, const char*>>;

// These read a cost or a bandwidth without counting it in a clock. They throw UserError.
Cost read_cost(YamlMap& map, const std::string& key, int lo, int hi);
Bandwidth read_bandwidth(YamlMap& map, const std::string& key, int lo, int hi);

// Reads a visited struct from a map; an absent key leaves the field as it is. Costs are counted later, with follow().
class YamlFields {
 public:
  explicit YamlFields(YamlMap& map) : map_(map) {}

  void field(const char* name, int& value, int lo, int hi, const Doc&) {
    if (map_.has(name)) value = map_.integer(name, lo, hi);
  }
  void field(const char* name, double& value, double lo, double hi, const Doc&) {
    if (map_.has(name)) value = map_.number(name, lo, hi);
  }
  void field(const char* name, Cost& value, int lo, int hi, const Doc&) {
    if (map_.has(name)) value = read_cost(map_, name, lo, hi);
  }
  void field(const char* name, Bandwidth& value, int lo, int hi, const Doc&) {
    if (map_.has(name)) value = read_bandwidth(map_, name, lo, hi);
  }
  void field(const char* name, bool& value, const Doc&) {
    if (map_.has(name)) value = map_.boolean(name);
  }
  void field(const char* name, std::string& value, const Doc&) {
    if (map_.has(name)) value = map_.text(name);
  }
  template <class Enum>
  void choice(const char* name, Enum& value, Choices<Enum> choices, const Doc&) {
    if (!map_.has(name)) return;
    std::vector<std::string> words;
    for (const auto& choice : choices) words.emplace_back(choice.second);
    value = (choices.begin() + map_.choice(name, words))->first;
  }

 private:
  YamlMap& map_;
};

// Reads all of `fields` from `map`. Other keys stay, for the caller to read or for finish() to report.
template <class Fields>
void read_fields(YamlMap& map, Fields& fields) {
  fields.visit(YamlFields(map));
}

struct FieldRow {
  std::string name;
  std::string type;      // "int", "number", "cost", "bandwidth", "bool", "text" or "choice"
  std::string allowed;   // "2..1024", "1 | 2 | 4", "half_up | truncate" or empty
  std::string fallback;  // the default: the value that the struct had
  std::string doc;
  Effect effect;
  std::string counted = {};  // the number that engines see; empty: as `fallback`
};

// Lists what a visited struct declares.
class FieldTable {
 public:
  void field(const char* name, int& value, int lo, int hi, const Doc& doc);
  void field(const char* name, double& value, double lo, double hi, const Doc& doc);
  void field(const char* name, Cost& value, int lo, int hi, const Doc& doc);
  void field(const char* name, Bandwidth& value, int lo, int hi, const Doc& doc);
  void field(const char* name, bool& value, const Doc& doc);
  void field(const char* name, std::string& value, const Doc& doc);
  template <class Enum>
  void choice(const char* name, Enum& value, Choices<Enum> choices, const Doc& doc) {
    FieldRow row{name, "choice", "", "", doc.text, doc.effect};
    for (const auto& choice : choices) {
      row.allowed += (row.allowed.empty() ? "" : " | ") + std::string(choice.second);
      if (choice.first == value) row.fallback = choice.second;
    }
    rows_.push_back(row);
  }
  const std::vector<FieldRow>& rows() const { return rows_; }

 private:
  std::vector<FieldRow> rows_;
};

// Counts every cost of a visited struct in a clock, and every bandwidth. problems() says which left their limits.
class FollowClock {
 public:
  struct Problem {
    const char* field;
    std::string text;
  };
  explicit FollowClock(const Rational& mhz) : mhz_(mhz) {}

  void field(const char* name, Cost& value, int lo, int hi, const Doc&) { add(name, value.follow(mhz_, lo, hi)); }
  void field(const char* name, Bandwidth& value, int lo, int hi, const Doc&) { add(name, value.follow(mhz_, lo, hi)); }
  void field(const char*, int&, int, int, const Doc&) {}
  void field(const char*, double&, double, double, const Doc&) {}
  void field(const char*, bool&, const Doc&) {}
  void field(const char*, std::string&, const Doc&) {}
  template <class Enum>
  void choice(const char*, Enum&, Choices<Enum>, const Doc&) {}

  const std::vector<Problem>& problems() const { return problems_; }

 private:
  void add(const char* name, const std::string& wrong) {
    if (!wrong.empty()) problems_.push_back({name, std::string(name) + ": " + wrong});
  }

  const Rational mhz_;
  std::vector<Problem> problems_;
};

// Counts the costs of `fields` in a clock. Returns those that left their limits.
template <class Fields>
std::vector<FollowClock::Problem> follow_clock(Fields& fields, const Rational& mhz) {
  FollowClock follow(mhz);
  fields.visit(follow);
  return follow.problems();
}

template <class Fields>
std::vector<FieldRow> field_rows(Fields fields = {}) {
  FieldTable table;
  fields.visit(table);
  return table.rows();
}

}  // namespace fansim::base
