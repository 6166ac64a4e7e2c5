// SPDX-License-Identifier: Apache-2.0
#include "cli/models/import_scale_sim.h"

#include <fmt/format.h>

#include "base/console.h"
#include "base/file.h"
#include "base/output_files.h"
#include "cli/models/imported_network.h"
#include "cli/options/exit_code.h"
#include "importer/scale_sim.h"
#include "report/table.h"

namespace fansim::cli {
namespace {

bool ends(const std::string& path, const std::string& ending) {
  return path.size() > ending.size() && path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

}  // namespace

bool is_topology(const std::string& path) { return ends(path, ".csv"); }
bool is_array(const std::string& path) { return ends(path, ".cfg"); }

int import_topology(const std::string& path, const std::string& folder) {
  const importer::Topology topology = importer::read_topology(path);
  if (!topology.refused.empty()) {
    base::print_error_text(refusals(path, "rows", topology.refused));
    return kUserError;
  }
  std::vector<std::string> names;
  for (const importer::TopologyLayer& layer : topology.layers) names.push_back(layer.name + ".yaml");
  base::prepare_folder(folder, names);
  for (const importer::TopologyLayer& layer : topology.layers)
    base::write_file(folder + "/" + layer.name + ".yaml", layer.network);
  base::print_text(
      fmt::format("{}: {} layers, each a network of its own with random tensors: {}/{}.yaml...\n"
                  "sizes are as in the file, which has the padding in them\n",
                  path, topology.layers.size(), folder, topology.layers.front().name));
  return kDone;
}

int import_array(const std::string& path) {
  const importer::ArrayFile file = importer::read_array(path);
  report::Table table(4);
  table.row({"key", "value", "here", "why"});
  table.rule();
  std::string command = "fansim run configs/systems/faq_zcu102_dorefa8_dsp.yaml NETWORK";
  for (const importer::ArrayKey& key : file.keys) {
    table.row({key.key, key.value, key.setting, key.why});
    if (!key.setting.empty()) command += " --set " + key.setting;
  }
  base::print_text(fmt::format("{}: the tiled accelerator comes nearest\n", path) + table.text() + "\n" + command +
                   "\n");
  return kDone;
}

}  // namespace fansim::cli
