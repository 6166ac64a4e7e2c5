// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cctype>
#include <optional>

#include "base/console.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/output_files.h"
#include "benches/drive_waveform.h"
#include "cli/drive/drive_dma.h"
#include "cli/drive/drive_kernel.h"
#include "cli/options/exit_code.h"
#include "cli/options/options.h"
#include "cli/options/subcommand.h"
#include "primitives/catalogue.h"
#include "primitives/stimulus.h"

namespace fansim::cli {
namespace {

using primitives::Primitive;
using primitives::Stimulus;

const Primitive& primitive_called(const std::string& name) {
  if (const Primitive* primitive = primitives::find_primitive(name)) return *primitive;
  std::vector<std::string> names;
  for (const Primitive& primitive : primitives::catalogue()) names.emplace_back(primitive.name);
  std::string capitals = name;
  for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string meant = base::did_you_mean(capitals, names);
  if (meant.empty()) meant = base::did_you_mean(name, {"ddr", "dma", "lut_kernel", "ports"});
  throw base::UserError(fmt::format("drive: primitive '{}' unknown{}", name, meant));
}

void append_line(std::string& csv, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) csv += (i == 0 ? "" : ",") + cells[i];
  csv += "\n";
}

// Says how the outputs of a row are written.
struct Columns {
  primitives::Digits digits;
  bool beyond_guide;
};

std::string header(const Primitive& primitive, const Stimulus& stimulus, const Columns& columns) {
  std::string csv;
  std::vector<std::string> cells = stimulus.columns;
  for (const primitives::PortRow& port : primitive.outputs) cells.push_back(port.name);
  if (columns.beyond_guide) cells.emplace_back("beyond_guide");
  append_line(csv, cells);
  return csv;
}

// Returns the names of the outputs that the vendor's guide leaves undefined, separated by blanks.
std::string beyond_guide(const Primitive& primitive, const std::vector<primitives::Bits>& outputs) {
  std::string names;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if ((outputs[i].beyond | outputs[i].unknown) != 0) names += (names.empty() ? "" : " ") + primitive.outputs[i].name;
  }
  return names;
}

// Steps the primitive through every row. Reports on standard error which outputs a row leaves undefined.
std::string drive_rows(const Primitive& primitive, primitives::Instance& instance, const Stimulus& stimulus,
                       const Columns& columns, benches::DriveWaveform* waveform) {
  std::string csv = header(primitive, stimulus, columns);
  for (const Stimulus::Row& row : stimulus.rows) {
    base::stop_if_interrupted();
    const primitives::Instance::Result result = instance.step(row.inputs);
    if (!result.report.empty()) base::print_error("{}\n", base::at(row.where, result.report));
    std::vector<std::string> cells = row.cells;
    for (std::size_t i = 0; i < result.outputs.size(); ++i)
      cells.push_back(columns.digits(result.outputs[i], primitive.outputs[i].bits));
    if (columns.beyond_guide) cells.push_back(beyond_guide(primitive, result.outputs));
    append_line(csv, cells);
    if (waveform) waveform->row(row.inputs, result.outputs);
  }
  return csv;
}

}  // namespace

int drive(const Arguments& arguments) {
  if (!arguments.empty() && arguments[0] == "ddr") return drive_ddr({arguments.begin() + 1, arguments.end()});
  if (!arguments.empty() && arguments[0] == "ports") return drive_ports({arguments.begin() + 1, arguments.end()});
  Options options("drive");
  options.positional("PRIMITIVE|ddr|dma|lut_kernel|ports", true)
      .positional("STIMULUS.csv", true)
      .values("set", "ATTRIBUTE=VALUE", "an attribute of the primitive; may repeat")
      .value("out", "F.csv", "the rows with every output, instead of standard output")
      .flag("bits", "outputs in binary, so that each bit is known or x")
      .flag("guide", "one more column: outputs whose value the vendor's guide leaves undefined")
      .value("vcd", "F", "a waveform of every port");
  options.example("drive DSP48E2 traces/dsp48e2.csv", "a slice alone, one row per clock")
      .example("drive ddr TRACE.csv", "the memory alone; its options: fansim drive ddr --help");
  if (!options.parse(arguments)) return kDone;
  const std::string name = options.text("PRIMITIVE|ddr|dma|lut_kernel|ports");
  if (name == "dma") return drive_dma(options);
  if (name == "lut_kernel") return drive_kernel(options);
  const Primitive& primitive = primitive_called(name);
  const std::string file = options.text("STIMULUS.csv");
  const Stimulus stimulus = primitives::parse_stimulus(primitive, base::read_file(file), file);
  const std::unique_ptr<primitives::Instance> instance = primitive.make(options.list("set"));
  const std::string out = options.text("out", "-");
  base::check_outputs({out, options.text("vcd")});

  std::optional<benches::DriveWaveform> waveform;
  if (options.has("vcd")) waveform.emplace(options.text("vcd"), primitive);
  const Columns columns{options.on("bits") ? primitives::binary : primitives::hex, options.on("guide")};
  const std::string csv = drive_rows(primitive, *instance, stimulus, columns, waveform ? &*waveform : nullptr);
  base::write_file(out, csv);
  if (waveform) waveform->close();
  return kDone;
}

}  // namespace fansim::cli
