// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/post_process.h"

#include <map>

#include "cosim/tiled_jobs.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 7;
constexpr int kFc = tiled::Config::kFc;

tiled::Config machine(const Parameters& p) {
  tiled::Config c = machine_of(p);
  c.conv.output_words = 512;
  c.fc.output_words = 64;
  c.quantiser.accumulator_bits = p["ACCUMULATOR_BITS"];
  c.quantiser.operand_bits = p["OPERAND_BITS"];
  c.quantiser.rounding = p["HALF_UP"] == 1 ? arith::Rounding::half_up : arith::Rounding::truncate;
  c.quantisation.activation_bits = p["VALUE_BITS"];
  c.store.lanes = p["LANES"];
  c.store.words = 512;
  c.store.pool_lines = p["OPEN"];
  return c;
}

// A phase is some layers of two engines, whose sums and records stand still; a half of the outputs is free again some
// edges behind its token.
template <class Model>
class PostProcessLane final : public Lane<Model> {
 public:
  PostProcessLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        config_(machine(p)),
        sum_bits_(p["ACCUMULATOR_BITS"]),
        conv_(config_.conv, 2, false, sum_bits_),
        fc_(config_.fc, 1, false, sum_bits_),
        outputs_(2, static_cast<std::size_t>(config_.conv.tm * config_.store.words)),
        job((name + "_job").c_str()),
        parameters_(std::make_unique<sim::Stream<tiled::Turn>>((name + "_parameters").c_str())),
        table((name + "_table").c_str()),
        output_freed((name + "_output_freed").c_str()),
        conv_sums((name + "_conv_sums").c_str()),
        conv_freed((name + "_conv_freed").c_str()),
        fc_sums((name + "_fc_sums").c_str()),
        fc_freed((name + "_fc_freed").c_str()),
        out((name + "_out").c_str()),
        block_(name.c_str(), config_, {&conv_, nullptr, &fc_}, records_, outputs_) {
    this->plant_port_fault();
    fill();
    block_.job(job);
    block_.parameters(*parameters_);
    block_.table(table);
    block_.output_freed(output_freed);
    block_.engine(0).sums(conv_sums);
    block_.engine(0).freed(conv_freed);
    block_.engine(kFc).sums(fc_sums);
    block_.engine(kFc).freed(fc_freed);
    block_.output(out);
    wire_inputs();
    this->output(COSIM_OUTPUT(conv_freed), [](Model& m, const tiled::Half& half, const auto& field) {
      field("half", 0, m.conv_freed_half, 0, 1, bits(half.index));
    });
    this->output(COSIM_OUTPUT(fc_freed), [](Model& m, const tiled::Half& half, const auto& field) {
      field("half", 0, m.fc_freed_half, 0, 1, bits(half.index));
    });
    this->output(
        "output", out, [](auto& m) -> auto& { return m.output_valid; }, [](auto& m) -> auto& { return m.output_ready; },
        [](auto& m) -> auto& { return m.output_full; },
        [](Model& m, const tiled::Half& half, const auto& field) {
          field("half", 0, m.output_half, 0, 1, bits(half.index));
        });
  }

 private:
  // Sums of the size of a layer's, and some of any.
  void fill() {
    base::Random& draw = this->random;
    const auto random_sum = [&] {
      const auto any = static_cast<std::int64_t>(draw.next());
      return arith::wrap(draw.chance(20) ? any : any % 40'000, sum_bits_);
    };
    for (tiled::SumStore* store : {&conv_, &fc_}) {
      const tiled::EngineConfig& engine = store == &fc_ ? config_.fc : config_.conv;
      for (int half = 0; half < (store == &fc_ ? 1 : 2); ++half)
        for (int entry = 0; entry < engine.output_words; ++entry)
          for (int o = 0; o < engine.tm; ++o)
            if (sum_bits_ > 32)
              store->int64(half, entry)[o] = random_sum();
            else
              store->int32(half, entry)[o] = static_cast<std::int32_t>(random_sum());
    }
    for (int channel = 0; channel < 64 + config_.store.lanes; ++channel) {
      std::array<std::uint8_t, 8> record;
      for (std::uint8_t& byte : record) byte = static_cast<std::uint8_t>(draw.next());
      const int bias = draw.chance(80) ? draw.uniform(-20'000, 20'000) : static_cast<int>(draw.next());
      for (std::size_t i = 0; i < 4; ++i) record[i] = static_cast<std::uint8_t>(bias >> 8 * i);
      if (draw.chance(80)) record[7] = bias < 0 ? 0xff : 0;
      record[6] = static_cast<std::uint8_t>(draw.chance(80) ? draw.uniform(16, 24) : draw.uniform(0, 62));
      records_.channels.push_back(tiled::parameters_of(record.data()));
      raw_.push_back(record);
    }
  }

  void wire_inputs() {
    this->input(
        COSIM_INPUT(job),
        [](Model& m, const tiled::TiledJob& item, const auto& field) { job_fields(m.job_image, item, field); },
        jobs_left_, [this](tiled::TiledJob& item) { item = planned_[planned_.size() - bits(jobs_left_) - 1]; });
    this->input(
        COSIM_INPUT_OF(parameters, *parameters_), [](Model&, const tiled::Turn&, const auto&) {}, parameters_left_,
        [](tiled::Turn&) {});
    this->input(
        COSIM_INPUT(output_freed), [](Model&, const tiled::Half&, const auto&) {}, freed_left_, [](tiled::Half&) {});
    this->input(
        COSIM_INPUT(conv_sums),
        [](Model& m, const tiled::Half& half, const auto& field) {
          field("half", 0, m.conv_sums_half, 0, 1, bits(half.index));
        },
        conv_left_, [this](tiled::Half& half) { half.index = this->random.uniform(0, 1); });
    this->input(
        COSIM_INPUT(fc_sums),
        [](Model& m, const tiled::Half& half, const auto& field) {
          field("half", 0, m.fc_sums_half, 0, 1, bits(half.index));
        },
        fc_left_, [](tiled::Half& half) { half.index = 0; });
  }

  void next_phase() override {
    planned_.clear();
    for (int i = this->random.uniform(1, 4); i > 0; --i) {
      const int engine = this->random.chance(75) ? 0 : kFc;
      planned_.push_back(random_job(config_, engine, this->random));
      (engine == kFc ? fc_left_ : conv_left_) += output_tiles(planned_.back(), config_);
    }
    jobs_left_ = parameters_left_ = static_cast<int>(planned_.size());
  }
  void before_edge() override {
    for (; returned_ < out.pops(); ++returned_) ++freed_left_;
    reads_ = block_.reads();
    tiles_ = out.pushes();
  }

  // Holds the memories of each twin.
  struct Memories {
    std::array<int, 2> sums{}, record{};  // {half, entry}; a record's index behind each register
    std::array<std::vector<std::int16_t>, 2> outputs;
  };
  std::int64_t sum(tiled::SumStore& store, int half, int entry, int channel) {
    return sum_bits_ > 32 ? store.int64(half, entry)[channel] : store.int32(half, entry)[channel];
  }
  void drive_levels(Model& m) override {
    Memories& of = memories_[&m];
    for (int o = 0; o < config_.conv.tm; ++o)
      put_bits(m.conv_data, sum_bits_ * o, sum_bits_,
               static_cast<std::uint64_t>(sum(conv_, of.sums[0], of.sums[1], o)));
    for (int o = 0; o < config_.fc.tm; ++o)
      put_bits(m.fc_data, sum_bits_ * o, sum_bits_, static_cast<std::uint64_t>(sum(fc_, 0, of.sums[1] % 64, o)));
    for (int i = 0; i < config_.store.lanes; ++i)
      for (std::size_t byte = 0; byte < 8; ++byte)
        put_bits(m.record_data, 64 * i + 8 * static_cast<int>(byte), 8,
                 raw_[bits(of.record[1] + i) % raw_.size()][byte]);
  }
  void compare_at_edge(Model& m, const Compare& field) override {
    field("go", 0, m.go, 0, 1, block_.reads() > reads_);
    Memories& of = memories_[&m];
    if (m.conv_read || m.fc_read) of.sums = {m.read_half, m.read_entry % config_.conv.output_words};
    if (m.move) of.record = {m.record_index, of.record[0]};
    for (auto& half : of.outputs) half.resize(outputs_[0].size());
    for (int i = 0; m.write && i < m.write_count; ++i) {
      const std::size_t at = m.write_index + bits(i) * m.write_pitch;
      of.outputs[m.write_half][at % outputs_[0].size()] = static_cast<std::int16_t>(get_bits(m.write_data, 16 * i, 16));
    }
    if (out.pushes() == tiles_) return;
    const int half = static_cast<int>(tiles_ % 2);
    for (std::size_t i = 0; i < outputs_[half].size(); ++i)
      field("output", static_cast<int>(i), static_cast<std::uint16_t>(of.outputs[bits(half)][i]), 0, 16,
            static_cast<std::uint16_t>(outputs_[half][i]));
  }

  const tiled::Config config_;
  const int sum_bits_;
  tiled::SumStore conv_, fc_;
  tiled::ParameterStore records_;
  std::vector<std::array<std::uint8_t, 8>> raw_;  // the records' bytes
  tiled::TileStore<std::int16_t> outputs_;
  sim::Stream<tiled::TiledJob> job;
  std::unique_ptr<sim::Stream<tiled::Turn>> parameters_;
  sim::Stream<axi::LiteRequest> table;
  sim::Stream<tiled::Half> output_freed, conv_sums, conv_freed, fc_sums, fc_freed, out;
  tiled::PostProcess block_;
  std::map<const Model*, Memories> memories_;
  std::vector<tiled::TiledJob> planned_;  // of the phase
  int jobs_left_ = 0, parameters_left_ = 0, freed_left_ = 0, conv_left_ = 0, fc_left_ = 0;
  std::int64_t returned_ = 0, reads_ = 0, tiles_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<PostProcessLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
