// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "accelerators/registry.h"
#include "base/console.h"
#include "base/data.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "cli/describe/describe_faults.h"
#include "cli/describe/describe_float.h"
#include "cli/describe/describe_words.h"
#include "cli/drive/drive_dma.h"
#include "cli/drive/drive_kernel.h"
#include "cli/drive/drive_ports.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/shipped.h"
#include "cli/options/subcommand.h"
#include "contract/config_file.h"
#include "contract/ddr_part.h"
#include "contract/statistics.h"
#include "explore/metrics.h"
#include "primitives/catalogue.h"
#include "primitives/stimulus.h"
#include "report/resolved.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

struct Metric {
  std::string name, unit, meaning;
};

// These metrics belong to the design, whatever runs on it.
const std::vector<Metric> kOfDesign{
    {"output_hash", "-", "FNV-1a, 64 bits, of the output's bytes in C,H,W order"},
    {"bram36", "blocks", "36 Kb block RAMs; a RAMB18 counts one half"},
    {"fmax_hz", "Hz", "estimated highest clock"},
    {"power_w", "W", "estimated power: blocks at 12.5 % toggling, and constants for the processing system and static"},
};

// Adds a metric once if it means the same on every machine, else once per meaning.
void add(std::vector<Metric>& all, const Metric& metric) {
  const auto same = [&metric](const Metric& m) { return m.name == metric.name && m.meaning == metric.meaning; };
  if (std::none_of(all.begin(), all.end(), same)) all.push_back(metric);
}

std::vector<Metric> metrics() {
  std::vector<Metric> all;
  for (const accelerators::Kind& kind : accelerators::registry())
    for (const contract::Statistic& row : kind.account().statistics()) add(all, {row.key(), row.unit(), row.meaning()});
  for (const Metric& metric : kOfDesign) all.push_back(metric);
  // The metrics of a point of a space follow, as far as a run has no such figure.
  const std::vector<std::string> words = explore::metric_names();
  for (std::size_t m = 0; m < words.size(); ++m)
    if (std::none_of(all.begin(), all.end(), [&](const Metric& one) { return one.name == words[m]; }))
      all.push_back({words[m], "of searches and sweeps", row(static_cast<explore::Metric>(m)).meaning});
  std::set<std::string> seen;
  for (const accelerators::Kind& kind : accelerators::registry()) {
    for (const contract::Bucket& bucket : kind.account().buckets) {
      const bool first = seen.insert(bucket.name).second;
      add(all, {bucket.name, "cycles", fmt::format("bucket: {}", bucket.meaning)});
      if (!first && all.back().name == bucket.name) all.back().meaning += fmt::format(" (system {})", kind.system);
    }
  }
  return all;
}

void print_fields(const char* block, const std::vector<base::FieldRow>& rows) {
  report::Table table(5);
  table.row({"key", "type", "allowed", "default", "meaning"});
  table.rule();
  for (const base::FieldRow& row : rows)
    table.row({fmt::format("{}.{}", block, row.name), row.type, row.allowed, row.fallback, row.doc});
  base::print_text(table.text());
  for (const char* type : {"cost", "bandwidth"})
    if (std::any_of(rows.begin(), rows.end(), [type](const base::FieldRow& row) { return row.type == type; }))
      base::print_text(type_text(type));
}

void print_registers(const accelerators::RegisterTable& registers) {
  report::Table table(registers.cells.front().size());
  for (const std::vector<std::string>& row : registers.cells) {
    table.row(row);
    if (&row == &registers.cells.front()) table.rule();
  }
  base::print_text(table.text());
}

void print_primitive(const primitives::Primitive& primitive) {
  base::print("{}: {}\n\n", primitive.name, primitive.meaning);
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
  base::print("{}\n{}", ports.text(), attributes.text());
}

void print_device(const std::string& file) {
  const contract::Device d = contract::load_device(file);
  base::print("{}: {}, {}, speed grade {}, {:g} V; {}\n\n", d.name, d.part.empty() ? "no part named" : d.part,
              d.family_name(), d.speed_grade, d.core_volts, file);
  report::Table table(3);
  table.row({"key", "value", "meaning"});
  table.rule();
  const auto row = [&table](const char* key, double value, const std::string& meaning) {
    table.row({key, fmt::format("{:.6g}", value), meaning});
  };
  table.row({"lut", report::grouped(d.lut), "LUTs of six inputs"});
  table.row({"lutram", report::grouped(d.lutram), "LUTs that can be memory or shift register"});
  table.row({"ff", report::grouped(d.ff), "flip-flops"});
  table.row({"bram36", report::grouped(d.bram36), "block RAMs of 36 Kb"});
  table.row({"uram", report::grouped(d.uram), "UltraRAMs of 4K x 72"});
  table.row({"dsp", report::grouped(d.dsp),
             fmt::format("{} slices, {} x 18 bits", d.dsp_slice_name(), d.dsp_operand_bits())});
  table.row({"slrs", report::grouped(d.slrs), "dies"});
  row("dsp_fmax_mhz", d.dsp_fmax_mhz, "MHz, DSP slice with all registers");
  row("bram_fmax_mhz", d.bram_fmax_mhz, "MHz, block RAM; the fabric is as fast or slow beside the reference");
  if (d.uram > 0) row("uram_fmax_mhz", d.uram_fmax_mhz, "MHz, UltraRAM");
  if (!d.scale.none())
    for (const auto& [key, factor] :
         std::initializer_list<std::pair<const char*, double>>{{"scale.dsp", d.scale.dsp},
                                                               {"scale.lut", d.scale.lut},
                                                               {"scale.ff", d.scale.ff},
                                                               {"scale.bram36", d.scale.bram36}})
      row(key, factor, "of estimates, by a report of synthesis");
  if (d.clock_fmax_mhz > 0) row("clock_fmax_mhz", d.clock_fmax_mhz, "MHz, global clock tree");
  base::print_text(table.text());
}

std::string device_folder() { return base::data_path("configs/devices"); }

std::vector<std::string> device_names() {
  std::vector<std::string> names = contract::devices_in(device_folder());
  std::sort(names.begin(), names.end());
  return names;
}

// Describes the device of that name or file. Without a name it lists all devices.
void describe_device(const std::string& what) {
  const std::string folder = device_folder();
  const std::vector<std::string> names = device_names();
  if (what.empty()) {
    for (const std::string& name : names) base::print("{}\n", name);
    return;
  }
  if (std::find(names.begin(), names.end(), what) != names.end()) {
    print_device(fmt::format("{}/{}.yaml", folder, what));
    return;
  }
  if (what.find('/') == std::string::npos && !base::exists(what))
    throw base::UserError(fmt::format("describe: device '{}' unknown{}", what, base::did_you_mean(what, names)));
  print_device(what);
}

void print_overview() {
  std::string registers;
  const char* head = "blocks of a configuration, system";
  for (const accelerators::Kind& kind : accelerators::registry()) {
    base::print("{} {}:", head, kind.system);
    for (const accelerators::Block& block : kind.blocks()) base::print(" {}", block.key);
    base::print("\n");
    head = "system";
    const accelerators::RegisterTable table = kind.registers();
    registers += fmt::format("{}{}: {}", registers.empty() ? "" : "; ", table.of, table.name);
  }
  base::print("{}\nmetrics:", registers);
  std::set<std::string> names;
  for (const Metric& metric : metrics())
    if (names.insert(metric.name).second) base::print(" {}", metric.name);
  base::print(
      "\none block alone: drive-dma drive-ports lut_kernel\noperators in gates: float_operators\nwhat may go wrong: "
      "faults\n"
      "primitives:");
  for (const primitives::Primitive& primitive : primitives::catalogue()) base::print(" {}", primitive.name);
  const auto print = [](const char* what, const std::vector<std::string>& words) {
    base::print("\n{}:", what);
    for (const std::string& word : words) base::print(" {}", word);
  };
  print("layer types", layer_types());
  print("spaces", shipped_spaces());
  print("devices", device_names());
  base::print("\na key: BLOCK.KEY\n");
}

// Holds a block in the form that some systems give it.
struct Variant {
  std::vector<base::FieldRow> rows;
  std::string systems;

  bool has(const std::vector<base::FieldRow>& others) const {
    return others.size() <= rows.size() &&
           std::equal(others.begin(), others.end(), rows.begin(), [](auto& a, auto& b) { return a.name == b.name; });
  }
};

// Prints a block. Systems may share a block: then it is printed once, with the notes of the systems on which one of its
// keys has no effect. Systems whose blocks share only the name are printed one after another.
bool print_block(const std::string& what, std::vector<std::string>& known) {
  std::vector<Variant> variants;
  for (const accelerators::Kind& kind : accelerators::registry()) {
    for (const accelerators::Block& block : kind.blocks()) {
      known.push_back(block.key);
      if (what != block.key) continue;
      auto variant = std::find_if(variants.begin(), variants.end(), [&](auto& one) { return one.has(block.rows); });
      if (variant == variants.end()) variant = variants.insert(variants.end(), {block.rows, ""});
      variant->systems += (variant->systems.empty() ? "" : ", ") + std::string(kind.system);
      for (std::size_t i = 0; i < block.rows.size(); ++i) {
        const std::size_t note = block.rows[i].doc.find(" (without effect on ");
        if (note == std::string::npos) continue;
        const std::string text = block.rows[i].doc.substr(note);
        std::string& doc = variant->rows[i].doc;
        if (doc.find(text) == std::string::npos) doc += text;
      }
    }
  }
  for (const Variant& variant : variants) {
    if (variants.size() > 1) base::print("{}system {}:\n", &variant == variants.data() ? "" : "\n", variant.systems);
    print_fields(what.c_str(), variant.rows);
  }
  if (what == "ddr") print_fields("ddr.part", base::field_rows<contract::DdrPart>());
  return !variants.empty();
}

// Returns false if nothing has that name.
bool print_one(const std::string& what, std::vector<std::string>& known) {
  bool found = print_block(what, known);
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
  known.emplace_back("drive-ports");
  if (what == "drive-ports") {
    describe_drive_ports();
    return true;
  }
  known.emplace_back("lut_kernel");
  if (what == "lut_kernel") {
    describe_kernel();
    return true;
  }
  known.emplace_back("faults");
  if (what == "faults") {
    describe_faults();
    return true;
  }
  known.emplace_back("float_operators");
  if (what == "float_operators") {
    describe_float_operators();
    return true;
  }
  for (const accelerators::Kind& kind : accelerators::registry()) {
    const accelerators::RegisterTable table = kind.registers();
    known.emplace_back(table.name);
    if (what != table.name) continue;
    print_registers(table);
    return true;
  }
  for (const Metric& metric : metrics()) {
    known.push_back(metric.name);
    if (what != metric.name) continue;
    base::print("{} [{}]: {}\n", metric.name, metric.unit, metric.meaning);
    found = true;
  }
  // A block, a metric and a layer type may have the same name, so all of them are printed.
  const std::vector<std::string> types = layer_types(), keys = block_keys(), devices = device_names();
  for (const std::vector<std::string>* words : {&types, &keys, &devices})
    known.insert(known.end(), words->begin(), words->end());
  const std::string type = layer_type_text(what), key = key_text(what);
  base::print_text((found && !type.empty() ? "\n" : "") + type + key);
  found = found || !type.empty() || !key.empty();
  if (found || std::find(devices.begin(), devices.end(), what) == devices.end()) return found;
  describe_device(what);
  return true;
}

// Describes a space that comes with the program, or one from a file. Without a name it lists all spaces.
void describe_space(const std::string& what) {
  if (!what.empty()) {
    base::print_text(space_text(space_file(what)));
    return;
  }
  for (const std::string& name : shipped_spaces()) base::print("{}\n", name);
}

}  // namespace

std::vector<std::string> described_words() {
  std::vector<std::string> words{"device", "space"};
  print_one("", words);
  for (const std::string& name : shipped_spaces()) words.push_back(name);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

int describe(const Arguments& arguments) {
  constexpr const char* kWord = "WORD|device|space|CONFIG";
  Options options("describe");
  options.positional(kWord, false)
      .positional("NAME|FILE", false)
      .values("set", "key.path=value", "of a CONFIG: override a key; may repeat");
  options.example("describe", "every word that it knows")
      .example("describe ddr", "the keys of a block, with ranges and meanings")
      .example("describe axi.outstanding", "one key; so a metric, layer type, device, space")
      .example("describe zcu102_stream", "every key of a configuration as it is resolved")
      .example("describe space tiny_stream", "a space that has a configuration's name");
  if (!options.parse(arguments)) return kDone;
  const std::string what = options.text(kWord), which = options.text("NAME|FILE");
  if (what.empty()) {
    print_overview();
    return kDone;
  }
  if (what == "device" || what == "space") {
    (what == "device" ? describe_device : describe_space)(which);
    return kDone;
  }
  if (!which.empty()) throw base::UserError(fmt::format("describe: '{}' takes no second word", what));
  std::vector<std::string> known{"device", "space"};
  const bool is_path = what == "-" || what.find('/') != std::string::npos || base::exists(what);
  if (!is_path && print_one(what, known)) return kDone;
  const std::vector<std::string> configs = shipped_configs(), spaces = shipped_spaces();
  const auto has = [&what](const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), what) != words.end();
  };
  if (!is_path && !has(configs)) {
    known.insert(known.end(), configs.begin(), configs.end());
    known.insert(known.end(), spaces.begin(), spaces.end());
    if (!has(spaces))
      throw base::UserError(fmt::format("describe: '{}' unknown{}", what, base::did_you_mean(what, known)));
    describe_space(what);
    return kDone;
  }
  const auto accelerator = accelerators::read_accelerator(config_file(what), options.list("set"));
  base::print_text(report::resolved_yaml(accelerator->resolved()));
  return kDone;
}

}  // namespace fansim::cli
