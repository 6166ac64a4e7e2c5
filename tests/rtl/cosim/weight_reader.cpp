// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/weight_reader.h"

#include "cosim/array.h"
#include "cosim/lane.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

template <class Model>
class WeightReaderLane final : public Lane<Model> {
 public:
  WeightReaderLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        array_(array_of(p)),
        memory_(this->random),
        command((name + "_command").c_str()),
        columns((name + "_columns").c_str()),
        block_(name.c_str(), array_, {}, memory_) {
    block_.command(command);
    block_.columns(columns);
    const int bytes = array_.weight_column_bytes();
    const int pitch = base::round_up(bytes, contract::AxiConfig{}.beat_bytes());
    this->input(
        COSIM_INPUT(command),
        [](Model& m, const stream::WeightCommand& item, const auto& field) {
          field("target", 0, m.command_target, 0, 2, static_cast<std::uint64_t>(item.target));
          field("row", 0, m.command_row, 0, 20, static_cast<std::uint64_t>(item.row));
        },
        left_,
        [this](stream::WeightCommand& item) {
          item.target = this->random.uniform(0, 2);
          item.row = this->random.uniform(0, 0xfffff - array_.cols);
        });
    this->output(COSIM_OUTPUT(columns), [=](Model& m, const stream::WeightColumn& item, const auto& field) {
      for (int i = 0; i < bytes; ++i)
        field("bytes", i, m.columns_bytes, 8 * i, 8, item.bytes[static_cast<std::size_t>(i)]);
    });
    this->reads(
        "read", memory_, stream::ArrayConfig::bram_read_latency(),
        [=](Model& m) {
          return m.read_enable
                     ? std::optional<Read>({static_cast<int>(m.read_target) % 3, static_cast<int>(m.read_row) * pitch})
                     : std::nullopt;
        },
        [=](Model& m, const std::uint8_t* data) {
          for (int i = 0; i < bytes; ++i) put_bits(m.read_data, 8 * i, 8, data[i]);
        });
  }

 private:
  void next_phase() override { left_ = this->random.uniform(20, 100); }

  const stream::ArrayConfig array_;
  Memory memory_;
  sim::Stream<stream::WeightCommand> command;
  sim::Stream<stream::WeightColumn> columns;
  stream::WeightReader block_;
  int left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<WeightReaderLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
