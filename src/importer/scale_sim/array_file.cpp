// SPDX-License-Identifier: Apache-2.0
#include "importer/scale_sim/array_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/data.h"
#include "base/overrides.h"
#include "base/yaml.h"
#include "importer/plain_text.h"

namespace fansim::importer {
namespace {

struct Entry {
  std::string key, value;
  base::Location where;
};

std::string trimmed(const std::string& text) {
  constexpr const char* kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// Reads lines "key = value" or "key: value" below a "[section]". Keys are unique across sections.
std::vector<Entry> read_entries(const std::string& path) {
  std::vector<Entry> entries;
  std::map<std::string, int> lines;
  std::istringstream text(read_plain_text(path));
  base::Location where{path, 0, 1};
  bool section = false;
  for (std::string raw; std::getline(text, raw);) {
    ++where.line;
    constexpr const char* kByteOrderMark = "\xef\xbb\xbf";
    if (where.line == 1 && raw.rfind(kByteOrderMark, 0) == 0) raw.erase(0, 3);
    const std::string line = trimmed(raw);
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    if (line.front() == '[' && line.back() == ']') {
      section = true;
      continue;
    }
    const std::size_t sign = line.find_first_of("=:");
    const std::string key = trimmed(line.substr(0, sign));
    if (!section || sign == std::string::npos || key.empty())
      throw base::UserError(
          where, fmt::format("expected {}, found '{}'", section ? "KEY = VALUE" : "a [section]", shown(line)));
    const auto [first, is_new] = lines.insert({lower(key), where.line});
    if (!is_new)
      throw base::UserError(where, fmt::format("key '{}' already stands in line {}", shown(key), first->second));
    entries.push_back({key, trimmed(line.substr(sign + 1)), where});
  }
  return entries;
}

// Says why a key has no counterpart.
const std::map<std::string, std::string>& without() {
  static const std::string kPlaces = "the compiler lays tensors out in memory",
                           kStores = "banks and ports follow from the stores' widths",
                           kSparse = "every weight is multiplied, zero or not",
                           kRequests = "load.outstanding and store.outstanding count bursts: as shipped";
  static const std::map<std::string, std::string> kWithout{
      {"ifmapoffset", kPlaces},
      {"filteroffset", kPlaces},
      {"ofmapoffset", kPlaces},
      {"ifmapcustomlayout", kPlaces},
      {"filtercustomlayout", kPlaces},
      {"ifmapsrambankbandwidth", kStores},
      {"ifmapsrambanknum", kStores},
      {"ifmapsrambankport", kStores},
      {"filtersrambankbandwidth", kStores},
      {"filtersrambanknum", kStores},
      {"filtersrambankport", kStores},
      {"memorybanks", kStores},
      {"onchipmemorybanks", kStores},
      {"onchipmemorybankports", kStores},
      {"readrequestbuffer", kRequests},
      {"writerequestbuffer", kRequests},
      {"sparsitysupport", kSparse},
      {"sparserep", kSparse},
      {"optimizedmapping", kSparse},
      {"blocksize", kSparse},
      {"randomnumbergeneratorseed", kSparse},
      {"useramulatortrace", "memory is the configuration's ddr block (docs/memory.md)"},
      {"topologycsvloc", "a table is imported by itself"}};
  return kWithout;
}

// All but the last are required; the last is required only where InterfaceBandwidth is USER.
const std::vector<std::string> kKnown{"run_name",      "ArrayHeight",        "ArrayWidth",
                                      "IfmapSramSzkB", "FilterSramSzkB",     "OfmapSramSzkB",
                                      "Dataflow",      "InterfaceBandwidth", "Bandwidth"};

int power_of_two(std::int64_t at_least) {
  int power = 1;
  while (power < at_least) power *= 2;
  return power;
}

class ArrayReader {
 public:
  explicit ArrayReader(const std::string& path) : path_(path), entries_(read_entries(path)) {}

  ArrayFile read() {
    std::for_each(kKnown.begin(), kKnown.end() - 1, [this](const std::string& key) { entry(key); });
    array_.name = entry("run_name").value;
    if (array_.name.empty()) throw base::UserError(entry("run_name").where, "run_name: is empty");
    became_["run_name"] = {"name", ""};
    set_array();
    set_stores();
    set_memory();
    for (const Entry& e : entries_) list(e);
    return std::move(array_);
  }

 private:
  struct Became {
    std::string what, why;
  };

  // Returns the entry of a required key.
  const Entry& entry(const std::string& key) const {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return lower(e.key) == lower(key); });
    if (found != entries_.end()) return *found;
    for (const Entry& e : entries_)
      if (without().count(lower(e.key)) == 0 && base::nearest(e.key, kKnown) == key)
        throw base::UserError(e.where,
                              fmt::format("key '{}' unknown{}", shown(e.key), base::did_you_mean(e.key, {key})));
    throw base::UserError(base::Location{path_, 0, 0}, fmt::format("key '{}' is missing", key));
  }
  int extent(const std::string& key) const { return read_extent(entry(key).value, key, entry(key).where); }
  std::string word(const std::string& key, const std::vector<std::string>& words) const {
    const Entry& e = entry(key);
    if (std::find(words.begin(), words.end(), e.value) == words.end())
      throw base::UserError(e.where, fmt::format("{} '{}' unknown; allowed: {}{}", key, shown(e.value), listed(words),
                                                 base::did_you_mean(e.value, words)));
    return e.value;
  }

  // Sets the field to the nearest value that it may have.
  int set(const std::string& key, const std::string& field, std::int64_t wanted, int least, int most,
          const std::string& why) {
    const int value = static_cast<int>(std::clamp<std::int64_t>(wanted, least, most));
    Became& became = became_[lower(key)];
    became.what += fmt::format("{}{} {}", became.what.empty() ? "" : ", ", field, value);
    became.why = why + (value == wanted ? "" : fmt::format("; {} is {}..{}", field, least, most));
    array_.overrides.push_back(fmt::format("{}={}", field, value));
    return value;
  }

  void set_array() {
    constexpr int kMostFactor = 512;
    tn_ = set("ArrayHeight", "conv.tn", extent("ArrayHeight"), 1, kMostFactor, "input channels multiplied at once");
    const int width = extent("ArrayWidth");
    tm_ = set("ArrayWidth", "conv.tm", width, 1, kMostFactor, "");
    set("ArrayWidth", "store.lanes", width, 1, kMostFactor, "output channels computed and stored at once");
    const bool ws = word("Dataflow", {"os", "ws", "is"}) == "ws";
    became_["dataflow"] = {
        ws ? "the tiled nest" : "",
        fmt::format("{}weights stay in the array while a tile's points pass", ws ? "" : "none to choose: ")};
  }

  // SCALE-Sim's sizes count both halves of a double buffer, one byte per value.
  void set_stores() {
    const auto half = [this](const char* key) { return std::int64_t{extent(key)} * 512; };
    set("IfmapSramSzkB", "conv.input_words", half("IfmapSramSzkB") / tn_, 1, 1 << 20,
        "values of an input channel in a half");
    set("FilterSramSzkB", "weights.kib", extent("FilterSramSzkB") / 2, 1, 4096, "a half, which holds one weight tile");
    for (const char* field : {"conv.output_words", "store.words"})
      set("OfmapSramSzkB", field, half("OfmapSramSzkB") / tm_, 1, 1 << 16,
          "values of an output channel in a half; its sums have 32 bits each");
  }

  // Returns the power of two nearest to the width of the first bandwidth, which SCALE-Sim gives to all its interfaces.
  int given_bits() {
    const Entry& e = entry("Bandwidth");
    const int bytes = read_extent(trimmed(e.value.substr(0, e.value.find(','))), "Bandwidth", e.where);
    const std::int64_t above = power_of_two(std::int64_t{8} * bytes), below = above / 2;
    return static_cast<int>(above - 8 * bytes <= 8 * bytes - below ? above : below);
  }

  void set_memory() {
    const bool user = word("InterfaceBandwidth", {"CALC", "USER"}) == "USER";
    const int bits = user ? given_bits() : 512;
    const char* key = user ? "Bandwidth" : "InterfaceBandwidth";
    const std::string why = user ? "nearest to so many bytes a cycle; the streams share one memory"
                                 : "none given: wide, but a store has a bank for each byte of its stream";
    set(key, "load.input_bits", user ? bits : 128, 8, 512, why);
    // A row of weights fills whole beats.
    set(key, "load.weight_bits", std::min(bits, power_of_two(std::int64_t{8} * tm_)), 8, 512, why);
    set(key, "store.bits", user ? bits : 64, 32, 256, why);
    set(key, "port.data_bits", bits, 32, 512, why);
    became_[user ? "interfacebandwidth" : "bandwidth"] = {
        "", user ? "see Bandwidth" : "InterfaceBandwidth is CALC: not used"};
    // The given bandwidth is also the memory's, in place of the board's.
    array_.overrides.insert(array_.overrides.end(), {"ddr.data_bits=0", "load.order=parallel", "weights.level1=bram"});
  }

  void list(const Entry& e) {
    ArraySetting setting{shown(e.key), shown(e.value), "", ""};
    if (const auto became = became_.find(lower(e.key)); became != became_.end()) {
      setting.became = became->second.what;
      setting.why = became->second.why;
    } else if (const auto none = without().find(lower(e.key)); none != without().end()) {
      setting.why = none->second;
    } else {
      setting.why = "unknown here" + base::did_you_mean(e.key, kKnown);
    }
    array_.settings.push_back(setting);
  }

  const std::string path_;
  const std::vector<Entry> entries_;
  ArrayFile array_;
  std::map<std::string, Became> became_;
  int tn_ = 1, tm_ = 1;
};

std::string flow(const base::YamlNode& node) {
  using Kind = base::YamlNode::Kind;
  if (node.kind == Kind::scalar) return node.quoted ? "\"" + node.scalar + "\"" : node.scalar;
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  for (const base::YamlNode& item : node.items) add(flow(item));
  for (const base::YamlEntry& entry : node.entries) add(entry.key + ": " + flow(entry.value));
  return node.kind == Kind::list ? "[" + text + "]" : "{" + text + "}";
}

}  // namespace

ArrayFile read_array(const std::string& path) { return ArrayReader(path).read(); }

std::string configuration_text(const ArrayFile& array, const std::string& name, const std::string& device) {
  const std::string shipped = base::data_path("configs/systems/faq_zcu102_dorefa8_dsp.yaml");
  base::YamlNode document = base::load_yaml(shipped);
  base::apply_overrides(document, array.overrides);
  std::string text = "# From an array of SCALE-Sim: one engine, and stores as large as its.\n";
  for (const base::YamlEntry& entry : document.entries) {
    if (entry.key == "first" || entry.key == "fc") continue;
    const bool file = entry.value.kind == base::YamlNode::Kind::scalar && entry.value.scalar.rfind("../", 0) == 0;
    std::string value = flow(file ? base::inlined(entry.value, shipped) : entry.value);
    if (entry.key == "name") value = "\"" + name + "\"";
    if (entry.key == "device") value = "\"" + device + "\"";
    text += fmt::format("{}: {}\n", entry.key, value);
  }
  return text;
}

}  // namespace fansim::importer
