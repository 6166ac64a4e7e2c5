// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/replay/replayed_layer.h"

#include <memory>
#include <utility>

#include "accelerators/tiled/replay/run_traces.h"
#include "accelerators/tiled/timing/tiled_layer.h"
#include "timing/replay/replayed.h"
#include "timing/trains/memory.h"

namespace fansim::tiled {

namespace {

// A path that replays what it did before.
template <class Path, class Stream, class Trace>
class ReplayedPath final : public PathFollower<Path, Stream> {
 public:
  using Runs = typename Path::Inputs;

  ReplayedPath(const timing::TwoClocks& clocks, Path path, timing::TransitionTable& table)
      : replayed_(clocks, std::move(path), table) {}

  void follow(const PathEvent& told, Runs& runs, Stream& stream) override {
    replayed_.follow(told, runs, [&](const PathEvent& event) { stream.hear(event); });
  }
  Path& path() override { return replayed_.machine(); }
  void changed() override { replayed_.changed(); }

 private:
  timing::Replayed<Path, Trace> replayed_;
};

TiledParts replayed_parts(const Config& config, PathTables& tables) {
  PathConfigs paths(config);
  for (PathConfig* path : {&paths.inputs, &paths.weights, &paths.outputs}) path->closed_forms = true;
  const auto read = [&](const PathConfig& path, timing::TransitionTable& table) {
    return std::make_unique<ReplayedPath<ReadPath, ReadStream, ReadTrace>>(path.clocks, ReadPath(path, config.load.gap),
                                                                           table);
  };
  TiledParts parts{paths, {}, {}, {}, {}, true};
  parts.memory = timing::trains::make_memory(config.ddr, config.port.beat_bytes(), config.port_mhz, ports(config));
  parts.inputs = read(paths.inputs, tables.inputs);
  parts.weights = read(paths.weights, tables.weights);
  parts.outputs = std::make_unique<ReplayedPath<WritePath, WriteStream, WriteTrace>>(
      paths.outputs.clocks, WritePath(paths.outputs), tables.outputs);
  return parts;
}

}  // namespace

contract::LayerResult replay_tiled_layer(const Config& config, const contract::Program& program,
                                         const contract::LayerSteps& layer, TiledGaps& gaps, PathTables& tables,
                                         const contract::ProgressCallback& progress) {
  return follow_tiled_layer(config, program, layer, gaps, replayed_parts(config, tables), progress, true);
}

contract::LayerResult time_tiled_layer(const Config& config, const contract::Program& program,
                                       const contract::LayerSteps& layer, TiledGaps& gaps, PathTables& tables) {
  return follow_tiled_layer(config, program, layer, gaps, replayed_parts(config, tables), {}, false);
}

}  // namespace fansim::tiled
