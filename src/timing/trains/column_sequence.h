// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "rules/banked_ddr.h"
#include "timing/edge.h"

namespace fansim::timing::trains {

// Column reads in order: the first ones wait in the controller, the others are to rows[0] and rows[1] in turns, and so
// are those that may follow. One arrives per edge, the first one at `arrival`.
struct ColumnSequence {
  std::array<contract::DdrPlace, 2> rows;
  int count = 0;
  Edge arrival = 0;
  int port = 0;
  bool followed = false;  // one more read arrives in time, to be decided too where a pair would lack it
  rules::DdrQueue waiting;

  const contract::DdrPlace& place(int read) const {
    return read < waiting.size ? waiting.requests[read].place : rows[static_cast<std::size_t>(read % 2)];
  }
};

// The edges of the column commands of a sequence. Commands alternate between two distances.
struct ColumnEdges {
  Edge first = 0;
  Edge step = 0;         // from the first to the second
  Edge pair = 0;         // from the first to the third
  bool swapped = false;  // of every two reads the second one is picked first
  int count = 0;         // of reads

  Edge pick(int i) const { return first + i / 2 * pair + i % 2 * step; }  // in the order of the picks
  Edge operator[](int read) const { return pick(swapped ? read ^ 1 : read); }
  // The number of picks before an edge.
  std::int64_t before(Edge edge) const {
    const Edge span = edge - 1 - first;
    return span < 0 ? 0 : span / pair * 2 + (span % pair < step ? 1 : 2);
  }
};

// Decides at once what rules::pick() would decide at one edge after another: reads in order to open rows, as many of
// them as nothing can come between. Another request may arrive from `until` on. `follows`: the picks at edges after the
// sequence's arrival are of reads to which it is the next in order. Returns false, with nothing changed, if that is
// none.
bool decide_sequence(rules::BankedDdrState& state, const contract::DdrPart& part, const ColumnSequence& sequence,
                     bool follows, Edge until, ColumnEdges& edges);

// Returns whether the next pick of a read is the same without `next`, which comes after all reads that wait and is in
// order with them.
bool stays_first(const rules::BankedDdrState& state, const contract::DdrPart& part, const rules::DdrQueue& reads,
                 const rules::DdrRequest& next);

}  // namespace fansim::timing::trains
