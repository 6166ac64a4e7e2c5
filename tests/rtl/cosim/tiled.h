// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "accelerators/tiled/config/encoding.h"
#include "accelerators/tiled/config/tiled_runs.h"
#include "cosim/bits.h"
#include "cosim/session.h"

// This file holds what the twins of the tiled accelerator's data engine share.
namespace fansim::cosim {

inline tiled::Encoding encoding_of(const Parameters& p) {
  return {p["VALUE_BITS"], p["SLOT_BITS"], p["WORD_BITS"], p["BEAT_BITS"]};
}

// A run of `values` values after `skip`, at no address.
inline tiled::Extent run_of(const tiled::Encoding& e, int skip, int values, bool last) {
  return {0, static_cast<int>(e.beats(skip + values)), skip, values, last};
}

template <class Port, class Field>
void data_fields(Port& port, const tiled::ExtentBeat& beat, const tiled::Encoding& e, const Field& field) {
  for (int i = 0; i < e.beat_bytes(); ++i) field("bytes", i, port, 8 * i, 8, beat.data[static_cast<std::size_t>(i)]);
}

}  // namespace fansim::cosim
