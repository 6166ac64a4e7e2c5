// SPDX-License-Identifier: Apache-2.0
#include "cli/explore_timing.h"

#include <utility>

#include "base/fields.h"
#include "timing/tiled/tiled_engine.h"

namespace fansim::cli {
namespace {

// Appends values as bytes.
class Bytes {
 public:
  void add(std::int64_t value) { text_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void add(double value) { text_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void add(const std::string& value) { add(static_cast<std::int64_t>(value.size())), text_ += value; }

  void field(const char*, int& value, int, int, const char*) { add(std::int64_t{value}); }
  void field(const char*, double& value, double, double, const char*) { add(value); }
  void field(const char*, bool& value, const char*) { add(std::int64_t{value}); }
  void field(const char*, std::string& value, const char*) { add(value); }
  template <class Enum>
  void choice(const char*, Enum& value, base::Choices<Enum>, const char*) {
    add(static_cast<std::int64_t>(value));
  }

  template <class Block>
  void block(Block block) {
    block.visit(*this);
  }
  void clock(const base::Rational& mhz) { add(mhz.numerator), add(mhz.denominator); }
  void memory(const arch::DdrConfig& ddr) {
    block(ddr);
    if (ddr.fidelity != arch::DdrFidelity::banked) return;
    block(ddr.part);
    clock(ddr.part.clock_mhz);
    add(ddr.part.mapping.layout());
  }
  void program(const arch::Program& program) {
    add(static_cast<std::int64_t>(program.ops.size()));
    for (const arch::HostOp& op : program.ops)
      add(static_cast<std::int64_t>(op.kind)), add(std::int64_t{op.address}), add(std::int64_t{op.value});
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

// The sizes of stores, and where weights are kept, show in the job's tiles; where MACs are made, and what codes mean,
// in no time at all.
std::string timing_key(const arch::TiledConfig& c, const arch::Program& program) {
  Bytes bytes;
  bytes.program(program);
  bytes.clock(c.clock_mhz), bytes.clock(c.port_mhz);
  for (const arch::LayerPlan& plan : program.layers) {
    if (plan.jobs.empty()) continue;
    const int engine = plan.jobs.front().engine;
    const arch::EngineConfig& e = c.engine(engine);
    for (const int value : {engine, e.tm, e.tn, e.halves()}) bytes.add(std::int64_t{value});
    if (engine != arch::TiledConfig::kFc) bytes.add(std::int64_t{c.weights.halves()});
  }
  for (const int value : {c.quantisation.weight_bits, c.quantisation.activation_bits, c.float_sum() ? 1 : 0})
    bytes.add(std::int64_t{value});
  bytes.block(c.load), bytes.block(c.store), bytes.block(c.clock_converter), bytes.block(c.port), bytes.block(c.host);
  bytes.memory(c.ddr);
  return bytes.take();
}

arch::LayerResult time_layer(const arch::TiledConfig& config, arch::Program program) {
  return timing::run_tiled(config, program).front();
}

}  // namespace fansim::cli
