// SPDX-License-Identifier: Apache-2.0
#include "cli/describe/describe_faults.h"

#include "base/console.h"
#include "base/fields.h"
#include "base/text.h"
#include "contract/faults.h"
#include "report/table.h"

namespace fansim::cli {

void describe_faults() {
  report::Table kinds(4);
  kinds.row({"kind", "meaning", "places", "keys beside kind, at, layer, cycle"});
  kinds.rule();
  for (const contract::FaultKind& kind : contract::fault_kinds())
    kinds.row({kind.word, kind.meaning, kind.places, base::joined({kind.keys.begin(), kind.keys.end()})});
  report::Table keys(5);
  keys.row({"key", "type", "allowed", "default", "meaning"});
  keys.rule();
  for (const base::FieldRow& row : base::field_rows<contract::Fault>()) {
    const bool drawn = row.fallback == std::to_string(contract::Fault::kDrawn);
    keys.row({row.name, row.type, row.allowed, drawn ? "drawn" : row.fallback, row.doc});
  }
  base::print(
      "run --fault \"kind=..., at=..., ...\", or a list `faults` of maps in a configuration\n\n{}\n{}\n"
      "places of a machine and their bits: fansim inject CONFIG NETWORK --places\n",
      kinds.text(), keys.text());
}

}  // namespace fansim::cli
