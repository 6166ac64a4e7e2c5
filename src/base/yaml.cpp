// SPDX-License-Identifier: Apache-2.0
#include "base/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <unordered_set>

#include "base/file.h"
#include "base/text.h"

namespace fansim::base {
namespace {

constexpr int kDeepest = 64;
// Guards that no real file meets. Aliases may multiply what a file holds, so a file may have one node for each byte,
// and some more.
constexpr std::size_t kMostNodes = 1'000'000, kMoreNodes = 20'000;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // all values together, each counted with its place
constexpr std::size_t kLongest = std::size_t{4} << 20;     // the longest file

Location location(const std::string& file, const YAML::Mark& mark) {
  return mark.is_null() ? Location{file, 0, 0} : Location{file, mark.line + 1, mark.column + 1};
}

// Copies yaml-cpp's graph into our tree.
class Converter {
 public:
  Converter(std::string file, std::size_t bytes)
      : file_(std::move(file)), most_nodes_(std::min(kMostNodes, bytes + kMoreNodes)) {}

  YamlNode convert(const YAML::Node& from, int depth = 0) {
    YamlNode node;
    node.where = location(file_, from.Mark());
    if (depth > kDeepest) throw UserError(node.where, fmt::format("nested deeper than {} levels", kDeepest));
    bytes_ += from.IsScalar() ? from.Scalar().size() : 0;
    if (++nodes_ > most_nodes_ || bytes_ + nodes_ * file_.size() > kMostBytes)
      throw UserError(node.where, "too many values");
    if (from.IsScalar()) {
      node.kind = YamlNode::Kind::scalar;
      node.scalar = from.Scalar();
      node.quoted = from.Tag() == "!";
    } else if (from.IsSequence()) {
      node.kind = YamlNode::Kind::list;
      for (const auto& item : from) node.items.push_back(convert(item, depth + 1));
    } else if (from.IsMap()) {
      node.kind = YamlNode::Kind::map;
      std::unordered_set<std::string> keys;
      for (const auto& entry : from) {
        add(node, entry.first, entry.second, depth);
        if (!keys.insert(entry.first.Scalar()).second)
          throw UserError(node.entries.back().where, fmt::format("key '{}' given twice", entry.first.Scalar()));
      }
    }
    return node;
  }

 private:
  void add(YamlNode& map, const YAML::Node& key, const YAML::Node& value, int depth) {
    const Location where = location(file_, key.Mark());
    if (!key.IsScalar()) throw UserError(where, "a key must be a word");
    bytes_ += key.Scalar().size();
    map.entries.push_back({key.Scalar(), where, convert(value, depth + 1)});
  }

  std::string file_;
  const std::size_t most_nodes_;
  std::size_t nodes_ = 0, bytes_ = 0;
};

// Throws at a second document. It also ends the parser's endless loop at a word that cannot begin a value, such as ',':
// yaml-cpp finds nothing there and tries again at the same place.
class OneDocument final : public YAML::EventHandler {
 public:
  explicit OneDocument(std::string file) : file_(std::move(file)) {}

  void OnDocumentStart(const YAML::Mark&) override { ++documents_; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { value(mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { value(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string&) override {
    value(mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    value(mark);
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    value(mark);
  }
  void OnMapEnd() override {}

  bool found() const { return documents_ > 0; }

 private:
  void value(const YAML::Mark& mark) {
    if (documents_ == 1 && !first_) first_ = mark;
    if (documents_ < 2) return;
    throw UserError(location(file_, mark),
                    mark.pos == first_->pos ? "no value begins like this" : "more than one YAML document");
  }

  const std::string file_;
  int documents_ = 0;
  std::optional<YAML::Mark> first_;  // where the first value is
};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

YamlNode* YamlNode::find(std::string_view key) {
  return const_cast<YamlNode*>(static_cast<const YamlNode*>(this)->find(key));
}

std::string YamlNode::found() const {
  switch (kind) {
    case Kind::null:
      return "nothing";
    case Kind::list:
      return "a list";
    case Kind::map:
      return "a map";
    case Kind::scalar:
      break;
  }
  const std::string word = lower(scalar);
  if (!quoted && (word == "true" || word == "false")) return "truth value '" + scalar + "'";
  double value = 0;
  if (!quoted && YAML::convert<double>::decode(YAML::Node(scalar), value)) return "number " + scalar;
  return "text '" + scalar + "'";
}

// Refuses text that is not UTF-8: it would end up in messages and reports, which have to be UTF-8.
void refuse_other_encodings(const std::string& text, const std::string& file) {
  const std::size_t at = not_utf8(text);
  if (at == std::string::npos) return;
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw UserError(Location{file, static_cast<int>(lines) + 1, static_cast<int>(at - line) + 1},
                  fmt::format("byte 0x{:02x} is not UTF-8", static_cast<unsigned char>(text[at])));
}

YamlNode parse_yaml(const std::string& text, const std::string& file) {
  refuse_other_encodings(text, file);
  if (text.size() > kLongest) throw UserError(Location{file, 0, 0}, fmt::format("has more than {} bytes", kLongest));
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    OneDocument document(file);
    while (parser.HandleNextDocument(document)) {
    }
    if (!document.found()) throw UserError(Location{file, 0, 0}, "holds no YAML document");
    return Converter(file, text.size()).convert(YAML::Load(text));
  } catch (const YAML::Exception& error) {
    throw UserError(location(file, error.mark), error.msg);
  }
}

YamlNode load_yaml(const std::string& path) { return parse_yaml(read_file(path), path); }

YamlNode inlined(const YamlNode& node, const std::string& file) {
  if (node.kind == YamlNode::Kind::map) return node;
  const std::string& path = node.scalar;
  const auto ends_with = [&path](std::string_view end) {
    return path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
  };
  if (node.kind != YamlNode::Kind::scalar || (!ends_with(".yaml") && !ends_with(".yml"))) {
    throw UserError(node.where, "expected a map or the path of a .yaml file, found " + node.found());
  }
  const std::string target = beside(file, path);
  std::string text;
  try {
    text = read_file(target);
  } catch (const UserError& error) {
    throw UserError(node.where, error.what());
  }
  return parse_yaml(text, target);
}

}  // namespace fansim::base
