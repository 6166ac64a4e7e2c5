// SPDX-License-Identifier: Apache-2.0
#include "axi/checker/stream_rules.h"

namespace fansim::axi {

void StreamRules::edge(const StreamView& view) {
  ++cycle_;
  handshake_.edge(view, view.resetn, cycle_, findings, [](const StreamView& now, const StreamView& before) {
    if (now.last != before.last) return "last";
    if (now.keep != before.keep) return "keep";
    return differ(now.data, before.data, now.keep) ? "data" : nullptr;
  });
  if (view.valid && view.ready && view.resetn) ++beats_;
}

}  // namespace fansim::axi
