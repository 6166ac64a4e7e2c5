// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <climits>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/rational.h"

namespace fansim::base {

struct YamlEntry;

// One node of a document, with the place it was read from. A scalar is kept as text.
struct YamlNode {
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  std::string scalar;
  bool quoted = false;
  std::vector<YamlNode> items;     // of a list
  std::vector<YamlEntry> entries;  // of a map, in the order of the file
  Location where;

  YamlNode* find(std::string_view key);
  const YamlNode* find(std::string_view key) const;
  std::string found() const;  // "text 'abc'", "a list", "nothing"... for messages
};

struct YamlEntry {
  std::string key;
  Location where;  // of the key
  YamlNode value;
};

// Reads one document. UserError if the file cannot be read or is malformed, holds a duplicate key or is nested
// deeper than 64 levels.
YamlNode load_yaml(const std::string& path);
YamlNode parse_yaml(const std::string& text, const std::string& file);

// A map that may be given as the relative path of another YAML file: `node` itself, or that file's document. The path
// is relative to `file`.
YamlNode inlined(const YamlNode& node, const std::string& file);

// A map being read: each key asked for is remembered, finish() reports those nobody asked for. Every getter
// throws UserError naming file, line, column, this map's label and the key.
class YamlMap {
 public:
  // `label` begins each message ("conv1: kernel ..."); empty for a document's top.
  explicit YamlMap(YamlNode node, std::string label = "");

  std::vector<std::string> keys() const;  // all of them, in the order of the file
  bool has(const std::string& key);
  const YamlNode& at(const std::string& key);    // required
  const YamlNode* find(const std::string& key);  // nullptr if absent
  YamlMap child(const std::string& key);         // a map, inline or in another file, labelled by its key; required
  const Location& where() const { return node_.where; }

  // Required; an integer may be decimal or 0x hexadecimal.
  int integer(const std::string& key, int lo = INT_MIN, int hi = INT_MAX);
  double number(const std::string& key, double lo, double hi);
  bool boolean(const std::string& key);
  std::string text(const std::string& key);
  Rational rational(const std::string& key);                                              // 250, 333.25 or 1000/3
  std::vector<int> integers(const std::string& key, int lo = INT_MIN, int hi = INT_MAX);  // a list
  std::vector<double> numbers(const std::string& key, double lo, double hi);              // one, or a list of some
  std::size_t choice(const std::string& key, const std::vector<std::string>& words);      // index of the word

  // The same with a value for an absent key.
  int integer(const std::string& key, int lo, int hi, int fallback) {
    return has(key) ? integer(key, lo, hi) : fallback;
  }
  bool boolean(const std::string& key, bool fallback) { return has(key) ? boolean(key) : fallback; }
  std::string text(const std::string& key, const std::string& fallback) { return has(key) ? text(key) : fallback; }

  // UserError at a key's value (or at this map if the key is absent).
  [[noreturn]] void fail(const std::string& key, std::string_view text) const;
  [[noreturn]] void fail(const Location& where, std::string_view text) const;

  // Call when every known key has been asked for: the first unknown key is an error.
  void finish() const;

 private:
  int integer_of(const YamlNode& node, const std::string& name, int lo, int hi) const;
  double number_of(const YamlNode& node, const std::string& name, double lo, double hi) const;

  YamlNode node_;
  std::string label_;
  std::vector<std::string> asked_;
};

}  // namespace fansim::base
