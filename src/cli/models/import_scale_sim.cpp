// SPDX-License-Identifier: Apache-2.0
#include "cli/models/import_scale_sim.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/console.h"
#include "base/data.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output_folder.h"
#include "cli/options/exit_code.h"
#include "importer/plain_text.h"
#include "importer/scale_sim/array_file.h"
#include "importer/scale_sim/topology.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

std::string refusals(const std::string& path, const importer::Topology& topology) {
  report::Table table(3);
  table.row({"line", "layer", "why not"});
  table.rule();
  for (const importer::RefusedRow& row : topology.refused)
    table.row({fmt::to_string(row.line), importer::shown(row.row), row.reason});
  const std::size_t rows = topology.layers.size() + topology.refused.size();
  return fmt::format("{}: {} of {} rows have no layer; {}\n", path, topology.refused.size(), rows,
                     topology.layers.empty() ? "nothing is written" : "the others are imported") +
         table.text();
}

// Writes a file for each layer that could be imported, all of them or none.
int import_topology(const std::string& path, const std::string& folder) {
  const importer::Topology topology = importer::read_topology(path);
  if (topology.layers.empty()) {
    base::print_error_text(refusals(path, topology));
    return kUserError;
  }
  std::vector<std::string> names;
  for (const importer::TopologyLayer& layer : topology.layers) names.push_back(layer.file + ".yaml");
  base::OutputFolder files(folder, names);
  report::Table table(3);
  table.row({"line", "layer", "file", "input", "filters", "kernel", "stride", "remark"});
  table.rule();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const importer::TopologyLayer& layer = topology.layers[i];
    base::write_file(files.at(names[i]), importer::network_text(layer));
    table.row({fmt::to_string(layer.line), importer::shown(layer.row), names[i],
               fmt::format("{} x {} x {}", layer.channels, layer.height, layer.width), fmt::to_string(layer.filters),
               fmt::to_string(layer.kernel), fmt::to_string(layer.stride), layer.remark});
  }
  files.keep();
  base::print_text(fmt::format("{}: {} networks of one int8 layer each, random tensors: {}\n"
                               "padding 0: the sizes of such a table hold theirs already\n",
                               path, names.size(), folder) +
                   table.text());
  if (topology.refused.empty()) return kDone;
  base::print_error_text(refusals(path, topology));
  return kDiffers;
}

int import_array(const std::string& path, const std::string& folder) {
  const importer::ArrayFile array = importer::read_array(path);
  const std::string device = "zcu102.yaml";
  importer::FileNames names;
  names.unique("zcu102", "");
  const std::string name = names.unique(array.name, "array");
  const std::string text = importer::configuration_text(array, name, device);
  const std::string device_text = base::read_file(base::data_path("configs/devices/" + device));
  base::OutputFolder files(folder, {device, name + ".yaml"});
  base::write_file(files.at(device), device_text);
  base::write_file(files.at(name + ".yaml"), text);
  files.keep();
  report::Table table(4);
  table.row({"key", "value", "became", "why"});
  table.rule();
  for (const importer::ArraySetting& setting : array.settings)
    table.row({setting.key, setting.value, setting.became.empty() ? "-" : setting.became, setting.why});
  base::print_text(fmt::format("{}: the tiled accelerator with one engine, the nearest machine here: {}/{}.yaml\n",
                               path, folder, name) +
                   table.text());
  return kDone;
}

}  // namespace

bool is_of_scale_sim(const std::string& path) {
  const std::string ending = importer::lower(std::filesystem::path(path).extension().string());
  return ending == ".csv" || ending == ".cfg";
}

int import_scale_sim(const Options& options) {
  for (const char* option :
       {"shape", "outputs", "inputs", "out", "calibrate", "method", "weight-bits", "activation-bits", "ranges"})
    if (options.has(option)) throw base::UserError(fmt::format("import: --{} is of an ONNX file", option));
  const std::string path = options.text("MODEL"), folder = options.text("output");
  const bool table = importer::lower(std::filesystem::path(path).extension().string()) == ".csv";
  return table ? import_topology(path, folder) : import_array(path, folder);
}

}  // namespace fansim::cli
