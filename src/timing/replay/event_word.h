// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/edge.h"

namespace fansim::timing {

// Packs an event of a machine into a word: 8 bits of `what` it is, 24 of its `beats`, 32 of its `edge`.
template <class Event>
bool fits_word(const Event& event) {
  return event.edge == static_cast<std::int32_t>(event.edge);
}
template <class Event>
std::uint64_t word_of(const Event& event) {
  return static_cast<std::uint64_t>(event.edge) << 32 | static_cast<std::uint32_t>(event.beats) << 8 |
         static_cast<std::uint8_t>(event.what);
}
template <class Event>
Event event_of(std::uint64_t word) {
  Event event;
  event.what = static_cast<decltype(event.what)>(word & 0xFF);
  event.beats = static_cast<int>(word >> 8 & 0xFFFFFF);
  event.edge = static_cast<std::int32_t>(word >> 32);
  return event;
}

}  // namespace fansim::timing
