// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/input_loader.h"

#include "cosim/loader.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;

tiled::Config machine(const Parameters& p) {
  tiled::Config c = machine_of(p);
  c.load.order = p["SERIAL"] == 1 ? tiled::LoadOrder::serial : tiled::LoadOrder::parallel;
  c.load.input_bits = 8 * p["BEAT_BYTES"];
  return c;
}

template <class Model>
class InputLoaderLane final : public LoaderLane<Model, tiled::MapExtent, tiled::InputLoader> {
 public:
  InputLoaderLane(const std::string& name, const Parameters& p)
      : LoaderLane<Model, tiled::MapExtent, tiled::InputLoader>(name, p, kFaults, machine(p)) {
    this->output(COSIM_OUTPUT_OF(commands, this->commands),
                 [](Model& m, const tiled::MapExtent& item, const auto& field) {
                   run_fields(m.commands_run, item.run, field);
                   field("engine", 0, m.commands_engine, 0, 2, bits(item.engine));
                   field("unsigned", 0, m.commands_unsigned, 0, 1, item.is_unsigned);
                 });
  }

 private:
  int turns_at_start() const override { return 1; }
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<InputLoaderLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
