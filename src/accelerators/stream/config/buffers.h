// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/effect.h"

namespace fansim::stream {

// Selects what synthesis builds a memory from (RAM_STYLE): block RAM, or the LUTs of the fabric. Both are read through
// two registers.
enum class RamStyle { block, distributed };

// Holds the sizes of on-chip memories in KiB over both ping-pong halves; the resident weight store has no halves.
struct BufferConfig {
  int input_kib = 48;
  int weight_kib = 192;
  int resident_kib = 288;
  int bias_kib = 8;
  int output_kib = 32;
  // The number of cycles does not depend on these.
  struct Styles {
    RamStyle input = RamStyle::block, weight = RamStyle::block, resident = RamStyle::block, bias = RamStyle::block,
             output = RamStyle::block;
  } styles;

  static constexpr int kBiasRecordBytes = 8;  // the longer form, with M and n for each channel

  int input_half_bytes() const { return input_kib * 512; }
  int weight_half_bytes() const { return weight_kib * 512; }
  int resident_bytes() const { return resident_kib * 1024; }
  int bias_half_bytes() const { return bias_kib * 512; }
  int output_half_bytes() const { return output_kib * 512; }

  template <class V>
  void visit(V&& v) {
    v.field("input_kib", input_kib, 2, 4096, {"input ping-pong buffer, both halves, KiB", base::grows()});
    v.field("weight_kib", weight_kib, 2, 4096, {"weight ping-pong buffer, both halves, KiB", base::grows()});
    v.field("resident_kib", resident_kib, 0, 4096,
            {"weights kept on chip for a whole layer (recurrent W_h, small convolutions), KiB", base::grows()});
    v.field("bias_kib", bias_kib, 2, 1024, {"bias ping-pong buffer, both halves, KiB", base::grows()});
    v.field("output_kib", output_kib, 2, 4096, {"output ping-pong buffer, both halves, KiB", base::grows()});
    const auto style = [&v](const char* name, RamStyle& value, const char* doc) {
      v.choice(name, value, {{RamStyle::block, "block"}, {RamStyle::distributed, "distributed"}},
               {doc, base::Effect{base::Effect::Resources::shape, false}});
    };
    style("input_ram_style", styles.input, "the input buffer is block RAM, or distributed in LUTs");
    style("weight_ram_style", styles.weight, "the same of the weight buffer");
    style("resident_ram_style", styles.resident, "the same of the resident weights");
    style("bias_ram_style", styles.bias, "the same of the bias buffer");
    style("output_ram_style", styles.output, "the same of the output buffer");
  }
};

}  // namespace fansim::stream
