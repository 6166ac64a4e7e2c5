// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/weight_loader.h"

#include "cosim/loader.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 5;

tiled::Config machine(const Parameters& p) {
  tiled::Config c = machine_of(p);
  c.load.order = p["SERIAL"] == 1 ? tiled::LoadOrder::serial : tiled::LoadOrder::parallel;
  c.load.reorganise = p["REORGANISE"] == 1;
  c.load.weight_bits = 8 * p["BEAT_BYTES"];
  return c;
}

template <class Model>
class WeightLoaderLane final : public LoaderLane<Model, tiled::WeightExtent, tiled::WeightLoader> {
 public:
  WeightLoaderLane(const std::string& name, const Parameters& p)
      : LoaderLane<Model, tiled::WeightExtent, tiled::WeightLoader>(name, p, kFaults, machine(p)) {
    this->output(COSIM_OUTPUT_OF(commands, this->commands),
                 [](Model& m, const tiled::WeightExtent& item, const auto& field) {
                   run_fields(m.commands_run, item.run, field);
                   field("engine", 0, m.commands_engine, 0, 2, bits(item.engine));
                   field("row", 0, m.commands_row, 0, 32, bits(item.row));
                   field("parameters", 0, m.commands_parameters, 0, 1, item.parameters);
                   field("dense", 0, m.commands_dense, 0, 1, item.scatter.dense());
                   field("first", 0, m.commands_first, 0, 16, bits(item.scatter.first));
                   field("inner", 0, m.commands_inner, 0, 16, bits(item.scatter.inner));
                   field("inner_stride", 0, m.commands_inner_stride, 0, 16, bits(item.scatter.inner_stride));
                   field("outer_stride", 0, m.commands_outer_stride, 0, 16, bits(item.scatter.outer_stride));
                 });
  }

 private:
  int turns_at_start() const override { return 0; }
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<WeightLoaderLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
