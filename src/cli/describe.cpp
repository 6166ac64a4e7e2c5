// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "arch/command.h"
#include "arch/result.h"
#include "arch/stream_config.h"
#include "arch/tiled_config.h"
#include "arch/tiled_job.h"
#include "base/error.h"
#include "base/fields.h"
#include "cli/drive_dma.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/subcommand.h"
#include "primitives/catalogue.h"
#include "primitives/stimulus.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

struct Metric {
  std::string name, unit, meaning;
};

std::vector<Metric> metrics() {
  std::vector<Metric> all{
      {"cycles", "cycles", "fabric clock cycles from the layer's first software step to its last output in DDR"},
      {"macs", "MAC", "multiply-accumulates of the layer, its border included as the layer defines it"},
      {"ops", "operations", "2 x macs"},
      {"seconds", "s", "cycles / clock_hz"},
      {"gops", "1e9 operations/s", "ops / seconds / 1e9"},
      {"mac_utilisation", "1", "macs / (cycles x multiply-accumulates the array can do per cycle)"},
      {"bytes_read", "B", "read from DDR by the DMA, borders and alignment included"},
      {"bytes_written", "B", "written to DDR by the DMA"},
      {"read_gb_per_s", "1e9 B/s", "bytes_read / seconds / 1e9"},
      {"write_gb_per_s", "1e9 B/s", "bytes_written / seconds / 1e9"},
      {"accumulator_overflows", "sums", "outputs whose exact sum does not fit accumulator_bits (with --verify)"},
      {"output_hash", "-", "FNV-1a, 64 bits, of the output's bytes in C,H,W order"},
      {"bram36", "blocks", "36 Kb block RAMs; a RAMB18 counts one half"},
      {"fmax_hz", "Hz", "estimated highest clock"},
      {"power_w", "W", "estimated power at 12.5 % toggling, processing system included"},
  };
  for (int b = 0; b < arch::kBuckets; ++b) {
    const auto bucket = static_cast<arch::Bucket>(b);
    all.push_back({arch::name(bucket), "cycles", fmt::format("bucket: {}", arch::meaning(bucket))});
  }
  return all;
}

void print_fields(const char* block, const std::vector<base::FieldRow>& rows) {
  report::Table table(5);
  table.row({"key", "type", "allowed", "default", "meaning"});
  table.rule();
  for (const base::FieldRow& row : rows)
    table.row({fmt::format("{}.{}", block, row.name), row.type, row.allowed, row.fallback, row.doc});
  std::fputs(table.text().c_str(), stdout);
}

// The tiled accelerator's words.
struct JobTable {
  report::Table table{4};
  void bits(const char* name, int, int word, int low, int bits, const char* doc) {
    table.row({name, std::to_string(word), bits == 1 ? std::to_string(low) : fmt::format("{}..{}", low + bits - 1, low),
               doc});
  }
  void number(const char* name, int value, int word, int low, int size, const char* doc) {
    bits(name, value, word, low, size, doc);
  }
  void address(const char* name, std::uint32_t, int word, const char* doc) {
    table.row({name, std::to_string(word), "31..0", doc});
  }
};

void print_instruction() {
  JobTable visitor;
  visitor.table.row({"field", "word", "bits", "meaning"});
  visitor.table.rule();
  arch::Instruction().visit(visitor);
  arch::TiledJob().visit(visitor);
  std::fputs(visitor.table.text().c_str(), stdout);
}

struct CommandTable {
  report::Table table{5};
  void bits(const char* name, int, int reg, int word, int low, int bits, const char* doc) {
    table.row({name, std::to_string(reg), reg == 3 ? std::to_string(word) : "-",
               bits == 1 ? std::to_string(low) : fmt::format("{}..{}", low + bits - 1, low), doc});
  }
  void address(const char* name, std::uint32_t, int reg, const char* doc) {
    table.row({name, std::to_string(reg), "-", "31..0", doc});
  }
};

void print_command() {
  CommandTable visitor;
  visitor.table.row({"field", "register", "word", "bits", "meaning"});
  visitor.table.rule();
  arch::Command().visit(visitor);
  std::fputs(visitor.table.text().c_str(), stdout);
}

void print_primitive(const primitives::Primitive& primitive) {
  fmt::print("{}: {}\n\n", primitive.name, primitive.meaning);
  report::Table ports(2);
  ports.row({"port", "direction", "bits", "open"});
  ports.rule();
  for (const primitives::PortRow& port : primitive.inputs)
    ports.row({port.name, port.clock ? "clock" : "in", std::to_string(port.bits),
               port.clock ? "edge" : primitives::hex(primitives::known(port.open), port.bits)});
  for (const primitives::PortRow& port : primitive.outputs)
    ports.row({port.name, "out", std::to_string(port.bits), "-"});
  report::Table attributes(3);
  attributes.row({"attribute", "legal values", "default"});
  attributes.rule();
  for (const primitives::AttributeRow& row : primitive.attributes) attributes.row({row.name, row.legal, row.fallback});
  fmt::print("{}\n{}", ports.text(), attributes.text());
}

void print_overview() {
  fmt::print("blocks of a configuration, system stream:");
  arch::StreamConfig().visit_blocks([](const char* key, auto&) { fmt::print(" {}", key); });
  fmt::print("\nsystem tiled:");
  arch::TiledConfig().visit_blocks([](const char* key, auto&) { fmt::print(" {}", key); });
  fmt::print("\nthe streaming core's command: command; the tiled accelerator's: instruction\nmetrics:");
  for (const Metric& metric : metrics()) fmt::print(" {}", metric.name);
  fmt::print("\none block alone: drive-dma\nprimitives:");
  for (const primitives::Primitive& primitive : primitives::catalogue()) fmt::print(" {}", primitive.name);
  fmt::print("\n");
}

template <class Config>
bool print_block(const std::string& what, std::vector<std::string>& known) {
  bool found = false;
  Config().visit_blocks([&](const char* key, auto& block) {
    known.emplace_back(key);
    if (what != key) return;
    print_fields(key, base::field_rows(block));
    if (what == "ddr") print_fields("ddr.part", base::field_rows<arch::DdrPart>());
    found = true;
  });
  return found;
}

// False: nothing is called that.
bool print_one(const std::string& what, std::vector<std::string>& known) {
  bool found = print_block<arch::StreamConfig>(what, known);
  // Blocks of both systems are alike.
  if (!found) found = print_block<arch::TiledConfig>(what, known);
  for (const primitives::Primitive& primitive : primitives::catalogue()) known.emplace_back(primitive.name);
  if (const primitives::Primitive* primitive = primitives::find_primitive(what)) {
    print_primitive(*primitive);
    return true;
  }
  known.emplace_back("drive-dma");
  if (what == "drive-dma") {
    describe_drive_dma();
    return true;
  }
  known.emplace_back("command");
  if (what == "command") {
    print_command();
    return true;
  }
  known.emplace_back("instruction");
  if (what == "instruction") {
    print_instruction();
    return true;
  }
  for (const Metric& metric : metrics()) {
    known.push_back(metric.name);
    if (what != metric.name) continue;
    fmt::print("{} [{}]: {}\n", metric.name, metric.unit, metric.meaning);
    found = true;
  }
  return found;
}

}  // namespace

int describe(const Arguments& arguments) {
  Options options("describe");
  options.positional("BLOCK|METRIC|PRIMITIVE", false);
  if (!options.parse(arguments)) return kDone;
  if (!options.has("BLOCK|METRIC|PRIMITIVE")) {
    print_overview();
    return kDone;
  }
  const std::string what = options.text("BLOCK|METRIC|PRIMITIVE");
  std::vector<std::string> known;
  if (!print_one(what, known))
    throw base::UserError(fmt::format("describe: '{}' unknown{}", what, base::did_you_mean(what, known)));
  return kDone;
}

}  // namespace fansim::cli
