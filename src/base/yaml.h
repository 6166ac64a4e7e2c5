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

// One node of a document, with the place from which it was read. A scalar is kept as text.
struct YamlNode {
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  std::string scalar;
  bool quoted = false;
  std::vector<YamlNode> items;     // if it is a list
  std::vector<YamlEntry> entries;  // if it is a map, in the order of the file
  Location where;

  YamlNode* find(std::string_view key);
  const YamlNode* find(std::string_view key) const;
  std::string found() const;  // for messages: "text 'abc'", "a list", "nothing"...
};

struct YamlEntry {
  std::string key;
  Location where;  // where the key stands
  YamlNode value;
};

// Reads one document. Throws UserError if the file cannot be read, is malformed, holds a duplicate key or is nested
// deeper than 64 levels.
YamlNode load_yaml(const std::string& path);
YamlNode parse_yaml(const std::string& text, const std::string& file);

// Returns a map that may be given as the path of another YAML file: `node` itself, or that file's document. The path is
// relative to `file`.
YamlNode inlined(const YamlNode& node, const std::string& file);

// A map while it is read. It remembers each key that was asked for, and finish() reports those that nobody asked for.
// Every getter throws UserError with file, line, column, this map's label and the key.
class YamlMap {
 public:
  // `label` begins each message ("conv1: kernel ..."). It is empty for the top of a document.
  explicit YamlMap(YamlNode node, std::string label = "");

  std::vector<std::string> keys() const;  // returns all keys in the order of the file
  bool has(const std::string& key);
  const YamlNode& at(const std::string& key);    // throws if absent
  const YamlNode* find(const std::string& key);  // returns nullptr if absent
  YamlMap child(const std::string& key);  // a map, inline or in another file, labelled by its key; throws if absent
  const Location& where() const { return node_.where; }

  // These throw if the key is absent. An integer may be decimal or 0x hexadecimal.
  int integer(const std::string& key, int lo = INT_MIN, int hi = INT_MAX);
  double number(const std::string& key, double lo, double hi);
  bool boolean(const std::string& key);
  std::string text(const std::string& key);
  Rational rational(const std::string& key);  // accepts 250, 333.25 or 1000/3
  std::vector<int> integers(const std::string& key, int lo = INT_MIN, int hi = INT_MAX);  // reads a list
  std::vector<double> numbers(const std::string& key, double lo, double hi);  // reads one number or a list of them
  std::size_t choice(const std::string& key, const std::vector<std::string>& words);  // returns the index of the word

  // These return `fallback` if the key is absent.
  int integer(const std::string& key, int lo, int hi, int fallback) {
    return has(key) ? integer(key, lo, hi) : fallback;
  }
  bool boolean(const std::string& key, bool fallback) { return has(key) ? boolean(key) : fallback; }
  std::string text(const std::string& key, const std::string& fallback) { return has(key) ? text(key) : fallback; }

  // Throws UserError at a key's value, or at this map if the key is absent.
  [[noreturn]] void fail(const std::string& key, std::string_view text) const;
  [[noreturn]] void fail(const Location& where, std::string_view text) const;

  // Throws UserError at the first unknown key. To be called when every known key has been asked for.
  void finish() const;

 private:
  int integer_of(const YamlNode& node, const std::string& name, int lo, int hi) const;
  double number_of(const YamlNode& node, const std::string& name, double lo, double hi) const;

  YamlNode node_;
  std::string label_;
  std::vector<std::string> asked_;
};

}  // namespace fansim::base
