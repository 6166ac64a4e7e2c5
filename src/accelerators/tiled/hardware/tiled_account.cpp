// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/tiled_account.h"

#include "accelerators/tiled/hardware/tiled_accelerator.h"

namespace fansim::tiled {

TiledAccount::TiledAccount(const sc_core::sc_module_name& name, const TiledBlocks& blocks, const platform::Host& host)
    : sim::Module(name), blocks_(blocks), host_(host) {}

[[gnu::flatten]] void TiledAccount::step() {
  if (active_) ++buckets_[static_cast<std::size_t>(rules::bucket(signs()))];
}

rules::CycleSigns TiledAccount::signs() const {
  rules::CycleSigns s;
  if (!engine_signs(s)) {
    s.wait_weights = !blocks_.weight_loader.account().none_under_way() || blocks_.weight_loader.loads_parameters();
    s.wait_input = !blocks_.input_loader.account().none_under_way();
  }
  memory_signs(s);
  s.host = host_.working();
  return s;
}

// Returns false if neither the engine nor what lies before and behind it has anything to do.
bool TiledAccount::engine_signs(rules::CycleSigns& s) const {
  using Engine = TileEngine::State;
  using Walker = TileWalker::State;
  const EngineChain& chain = *blocks_.engines[static_cast<std::size_t>(engine_)];
  const Engine engine = chain.engine.state();
  const Walker walker = chain.walker.state();
  const bool starved = engine == Engine::wait_input || engine == Engine::idle;
  s.compute = engine == Engine::compute;
  s.wait_weights = engine == Engine::wait_weights;
  s.wait_output = engine == Engine::wait_output || (starved && walker == Walker::wait_sums);
  s.fill = engine == Engine::wait_sum || (starved && (walker == Walker::read || !chain.walker.empty()));
  s.wait_input = starved && walker == Walker::wait_input;
  if (s.compute || s.wait_weights || s.wait_output || s.fill || s.wait_input) return true;
  s.drain = !chain.engine.empty() || !blocks_.post_process.empty() ||
            blocks_.post_process.state() == PostProcess::State::read || !blocks_.store_unit.account().none_under_way();
  return s.drain;
}

void TiledAccount::memory_signs(rules::CycleSigns& s) const {
  if (!s.wait_weights && !s.wait_input) return;
  const memory::Ddr& port = s.wait_weights ? blocks_.memory.weight_port() : blocks_.memory.input_port();
  if (port.read_outstanding()) s.read_wait = port.read_wait();
}

void TiledAccount::count(contract::LayerResult& result) const {
  const LoadAccount& inputs = blocks_.input_loader.account();
  const LoadAccount& weights = blocks_.weight_loader.account();
  const LoadAccount& outputs = blocks_.store_unit.account();
  base::Cycles points = 0;
  for (const auto& engine : blocks_.engines) points += engine ? engine->engine.points_taken() : 0;
  result.bytes_read = blocks_.input_reader.bytes() + blocks_.weight_reader.bytes();
  result.bytes_written = blocks_.writer.bytes();
  result.stages = {{"load_input", inputs.tiles(), blocks_.input_reader.beats_taken(), inputs.cycles()},
                   {"load_weights", weights.tiles(), blocks_.weight_reader.beats_taken(), weights.cycles()},
                   {"compute", weights.tiles(), 0, points},
                   {"post_process", blocks_.post_process.tiles(), 0, blocks_.post_process.reads()},
                   {"store", outputs.tiles(), blocks_.writer.beats_sent(), outputs.cycles()}};
}

}  // namespace fansim::tiled
