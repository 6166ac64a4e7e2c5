// SPDX-License-Identifier: Apache-2.0
#include "contract/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/overrides.h"

namespace fansim::contract {
namespace {

Fault read_fault(const base::YamlNode& node) {
  base::YamlMap map(node, "fault");
  Fault fault;
  base::read_fields(map, fault);
  map.finish();
  map.at("kind");
  map.at("at");
  const FaultKind& kind = kind_of(fault);
  for (const std::string& key : map.keys()) {
    const bool of_all = key == "kind" || key == "at" || key == "layer" || key == "cycle";
    const auto is_key = [&key](const char* own) { return key == own; };
    if (!of_all && std::none_of(kind.keys.begin(), kind.keys.end(), is_key))
      map.fail(key, fmt::format("a fault of kind {} has no '{}'", kind.word, key));
  }
  if (map.has("bit") && !map.has("word")) map.fail("bit", "bit: of which word?");
  if (fault.rate > 0 && map.has("word")) map.fail("rate", "rate: each flip is drawn, word and bit too");
  return fault;
}

}  // namespace

const std::vector<FaultKind>& fault_kinds() {
  static const std::vector<FaultKind> kKinds{
      {Fault::Kind::flip,
       "flip",
       "a stored bit turns over, once or at a rate",
       "memories and registers",
       {"word", "bit", "rate"}},
      {Fault::Kind::stuck,
       "stuck",
       "a stored bit keeps a value, whatever is written",
       "memories and registers",
       {"word", "bit", "value", "cycles"}},
      {Fault::Kind::slverr, "slverr", "a burst is answered SLVERR", "ports of the memory", {"nth", "count"}},
      {Fault::Kind::decerr, "decerr", "a burst is answered DECERR", "ports of the memory", {"nth", "count"}},
      {Fault::Kind::stall, "stall", "a burst's answer comes late, or never", "ports of the memory", {"nth", "cycles"}},
      {Fault::Kind::drop, "drop", "an interrupt is lost", "interrupts of the host", {"nth"}},
      {Fault::Kind::repeat, "repeat", "an interrupt comes twice", "interrupts of the host", {"nth"}},
      {Fault::Kind::halt, "halt", "a DMA channel loses its run bit", "channels of the DMA", {}},
  };
  return kKinds;
}

const FaultKind& kind_of(const Fault& fault) {
  for (const FaultKind& kind : fault_kinds())
    if (kind.kind == fault.kind) return kind;
  throw std::logic_error("faults: a kind that nobody declared");
}

// What differs from a fault that says nothing.
std::string Fault::text() const {
  const std::vector<base::FieldRow> said = base::field_rows(*this), unsaid = base::field_rows<Fault>();
  std::string text = fmt::format("kind={}", kind_of(*this).word);
  for (std::size_t i = 1; i < said.size(); ++i)
    if (said[i].fallback != unsaid[i].fallback) text += fmt::format(", {}={}", said[i].name, said[i].fallback);
  return text;
}

std::vector<Fault> read_faults(base::YamlMap& top) {
  std::vector<Fault> faults;
  if (!top.has("faults")) return faults;
  const base::YamlNode& list = top.at("faults");
  if (list.kind == base::YamlNode::Kind::null) return faults;
  if (list.kind != base::YamlNode::Kind::list)
    top.fail("faults", fmt::format("faults: expected a list, found {}", list.found()));
  for (const base::YamlNode& item : list.items) faults.push_back(read_fault(item));
  return faults;
}

Fault parse_fault(const std::string& text) {
  const base::Location where{"--fault " + text, 0, 0};
  std::string map = "{";
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    std::string part = text.substr(from, to - from);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) throw base::UserError(where, "expected KEY=VALUE, KEY=VALUE...");
    map += part.replace(equals, 1, ": ") + ", ";
    from = to + 1;
  }
  return read_fault(base::option_value(map + "}", where));
}

}  // namespace fansim::contract
