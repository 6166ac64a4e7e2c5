// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/command.h"
#include "accelerators/stream/hardware/types.h"
#include "base/random.h"

// This file converts payloads that several twins share to the bits of their ports.
namespace fansim::cosim {

// tests/rtl/tag.vh
template <class Port, class Field>
void tag_fields(Port& port, const stream::Tag& tag, const Field& field) {
  const auto bits = [](int value) { return static_cast<std::uint64_t>(value); };
  field("entry", 0, port, 0, 20, bits(tag.entry));
  field("x", 0, port, 20, 14, bits(tag.x));
  field("row", 0, port, 34, 14, bits(tag.row));
  field("group", 0, port, 48, 16, bits(tag.group));
  field("new_weights", 0, port, 64, 1, tag.new_weights);
  field("first", 0, port, 65, 1, tag.first);
  field("last", 0, port, 66, 1, tag.last);
  field("job_end", 0, port, 67, 1, tag.job_end);
}

inline stream::Tag random_tag(const stream::Command& job, base::Random& random) {
  stream::Tag tag;
  tag.job = &job;
  tag.entry = random.uniform(0, 0xfffff);
  tag.x = random.uniform(0, 0x3fff);
  tag.row = random.uniform(0, 0x3fff);
  tag.group = random.uniform(0, 0xffff);
  tag.new_weights = random.chance(50);
  tag.first = random.chance(50);
  tag.last = random.chance(50);
  tag.job_end = random.chance(50);
  return tag;
}

// `count` bytes, or 16-bit values, side by side.
template <class Port, class Values, class Field>
void byte_fields(Port& port, const Values& bytes, int count, const Field& field) {
  for (int i = 0; i < count; ++i)
    field("bytes", i, port, 8 * i, 8, static_cast<std::uint8_t>(bytes[static_cast<std::size_t>(i)]));
}
template <class Port, class Values, class Field>
void value_fields(Port& port, const Values& values, int count, int width, const Field& field) {
  for (int i = 0; i < count; ++i)
    field("values", i, port, width * i, width, static_cast<std::uint64_t>(values[static_cast<std::size_t>(i)]));
}

}  // namespace fansim::cosim
