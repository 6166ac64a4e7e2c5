// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/effect.h"
#include "base/rational.h"
#include "base/yaml.h"
#include "contract/ddr_mapping.h"

namespace fansim::contract {

enum class PagePolicy { open, closed, adaptive };

// A rank of DDR3, DDR4 or LPDDR4 with its controller. Times are edges of the memory clock, as in a controller's
// registers. Names are those of JESD79-4. Memories without bank groups have one, and the same times within it.
struct DdrPart {
  std::string name = "unnamed";
  base::Rational clock_mhz{3200, 3};
  int data_bits = 64;
  int group_bits = 2;
  int bank_bits = 2;
  int row_bits = 15;
  int column_bits = 10;
  int burst_length = 8;

  int cl = 15;
  int cwl = 11;
  int trcd = 15;
  int trp = 15;
  int tras = 36;
  int trc = 51;
  int trrd_s = 4;
  int trrd_l = 6;
  int tccd_s = 4;
  int tccd_l = 6;
  int tfaw = 23;
  int twr = 16;
  int twtr_s = 3;
  int twtr_l = 8;
  int trtp = 8;
  int trefi = 8320;
  int trfc = 278;
  int read_to_write = 2;

  PagePolicy page_policy = PagePolicy::open;
  int read_queue = 32;
  int write_queue = 32;
  int write_high = 24;
  int write_low = 8;
  int write_starve = 0;
  int write_run = 8;
  int row_hit_limit = 5;
  int read_crowd = 0;
  int write_crowd = 0;
  int starvation_bound = 2048;
  bool posted_writes = true;
  DdrMapping mapping;

  static constexpr int kMaxBanks = 16;

  int burst_clocks() const { return burst_length / 2; }  // two beats per clock
  int access_bytes() const { return data_bits / 8 * burst_length; }
  int banks() const { return 1 << (group_bits + bank_bits); }
  std::uint64_t bytes() const {
    return static_cast<std::uint64_t>(data_bits / 8) << (group_bits + bank_bits + row_bits + column_bits);
  }

  // Returns the bytes of one row in all banks together.
  std::int64_t row_bytes() const { return std::int64_t{data_bits / 8} << (group_bits + bank_bits + column_bits); }

  template <class V>
  void visit(V&& v) {
    v.field("data_bits", data_bits, 16, 64, {"width of the data bus", base::Effect{}, "16 | 32 | 64"});
    v.field("group_bits", group_bits, 0, 2, "bank groups: 2 for x4 and x8 devices of DDR4, 1 for x16; 0: none");
    v.field("bank_bits", bank_bits, 2, 3, "banks of a group: 2, or 3 without groups");
    v.field("row_bits", row_bits, 12, 18, "rows of a bank");
    v.field("column_bits", column_bits, 9, 12, "columns of a row");
    v.field("burst_length", burst_length, 8, 16, {"beats of a column access; 16 for LPDDR4", base::Effect{}, "8 | 16"});
    v.field("cl", cl, 5, 64, "READ to first data (CL)");
    v.field("cwl", cwl, 4, 64, "WRITE to first data (CWL)");
    v.field("trcd", trcd, 1, 64, "ACTIVATE to READ or WRITE");
    v.field("trp", trp, 1, 64, "PRECHARGE to ACTIVATE");
    v.field("tras", tras, 1, 128, "ACTIVATE to PRECHARGE");
    v.field("trc", trc, 1, 192, "ACTIVATE to ACTIVATE of a bank");
    v.field("trrd_s", trrd_s, 2, 32, "ACTIVATE to ACTIVATE, other bank group");
    v.field("trrd_l", trrd_l, 2, 32, "ACTIVATE to ACTIVATE, same bank group");
    v.field("tccd_s", tccd_s, 4, 8, "column access to column access, other bank group");
    v.field("tccd_l", tccd_l, 4, 12, "column access to column access, same bank group");
    v.field("tfaw", tfaw, 8, 128, "window of at most four ACTIVATEs");
    v.field("twr", twr, 1, 64, "end of write data to PRECHARGE");
    v.field("twtr_s", twtr_s, 1, 32, "end of write data to READ, other bank group");
    v.field("twtr_l", twtr_l, 1, 32, "end of write data to READ, same bank group");
    v.field("trtp", trtp, 1, 32, "READ to PRECHARGE");
    v.field("trefi", trefi, 500, 1000000, "refresh to refresh");
    v.field("trfc", trfc, 0, 2000, "refresh to any command; 0: never refreshed");
    v.field("read_to_write", read_to_write, 0, 16, "idle edges on the data bus between read and write data");
    v.choice("page_policy", page_policy,
             {{PagePolicy::open, "open"}, {PagePolicy::closed, "closed"}, {PagePolicy::adaptive, "adaptive"}},
             "when a row is closed: for another one, after every access, after the last access that waits for it");
    v.field("read_queue", read_queue, 1, 256, "column reads the controller can hold");
    v.field("write_queue", write_queue, 1, 256, "column writes the controller can hold");
    v.field("write_high", write_high, 1, 256, "waiting column writes from which they go before reads");
    v.field("write_low", write_low, 0, 255, "waiting column writes down to which they then do");
    v.field("write_starve", write_starve, 0, 1000000,
            "edges after which waiting writes go before reads, write_run of them; 0: by write_high and write_low");
    v.field("write_run", write_run, 1, 256, "writes that go before reads once they have starved");
    v.field("row_hit_limit", row_hit_limit, 1, 1000000,
            "accesses to an open row that may overtake an older one to another row");
    v.field("read_crowd", read_crowd, 0, 256,
            "waiting reads from which each bank's oldest goes before its hits; 0: never");
    v.field("write_crowd", write_crowd, 0, 256, "the same of writes");
    v.field("starvation_bound", starvation_bound, 16, 1000000, "edges after which the oldest access goes first");
    v.field("posted_writes", posted_writes, "a write is done once the controller holds it, not when it is in the DRAM");
  }
};

const char* word(PagePolicy policy);

// Reads a part: its fields, `name`, `clock_mhz`, the layouts under `mappings`, and the `mapping` in use, which is one
// of these names or a layout.
DdrPart read_ddr_part(base::YamlMap& map);

}  // namespace fansim::contract
