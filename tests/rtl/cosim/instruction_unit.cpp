// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/instruction_unit.h"

#include "accelerators/tiled/config/look_up.h"
#include "cosim/tiled_jobs.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 5;
constexpr int kEvery = tiled::InstructionUnit::kEvery;

// A phase is some accesses of all registers.
template <class Model>
class InstructionUnitLane final : public Lane<Model> {
 public:
  InstructionUnitLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        code_table_(p["CODE_TABLE"] == 1),
        request((name + "_request").c_str()),
        response((name + "_response").c_str()),
        table((name + "_table").c_str()),
        inputs((name + "_inputs").c_str()),
        weights((name + "_weights").c_str()),
        post((name + "_post").c_str()),
        store((name + "_store").c_str()),
        conv_walker((name + "_conv_walker").c_str()),
        conv_feeder((name + "_conv_feeder").c_str()),
        fc_walker((name + "_fc_walker").c_str()),
        fc_feeder((name + "_fc_feeder").c_str()),
        block_(name.c_str(), {kEvery, kEvery, kEvery, kEvery, 0, 0, 2, 2}, code_table_) {
    block_.request(request);
    block_.response(response);
    block_.table(table);
    sim::Stream<tiled::TiledJob>* const stages[] = {&inputs,      &weights,     &post,      &store,
                                                    &conv_walker, &conv_feeder, &fc_walker, &fc_feeder};
    for (std::size_t i = 0; i < std::size(stages); ++i) block_.stage(i)(*stages[i]);
    wire_registers();
#define STAGE(name)                \
  this->output(COSIM_OUTPUT(name), \
               [](Model& m, const tiled::TiledJob& job, const auto& field) { job_fields(m.name##_job, job, field); });
    STAGE(inputs)
    STAGE(weights)
    STAGE(post)
    STAGE(store)
    STAGE(conv_walker)
    STAGE(conv_feeder)
    STAGE(fc_walker)
    STAGE(fc_feeder)
#undef STAGE
  }

 private:
  void wire_registers() {
    this->input(
        COSIM_INPUT(request),
        [](Model& m, const axi::LiteRequest& item, const auto& field) {
          field("write", 0, m.request_write, 0, 1, item.write);
          field("address", 0, m.request_address, 0, 32, item.address);
          field("value", 0, m.request_value, 0, 32, item.value);
        },
        left_, [this](axi::LiteRequest& item) { make(item); });
    this->output(COSIM_OUTPUT(response), [](Model& m, const axi::LiteResponse& item, const auto& field) {
      field("value", 0, m.response_value, 0, 32, item.value);
    });
    this->output(COSIM_OUTPUT(table), [](Model& m, const axi::LiteRequest& item, const auto& field) {
      field("address", 0, m.table_address, 0, 32, item.address);
      field("value", 0, m.table_value, 0, 32, item.value);
    });
  }

  // Draws words of a job; bits without a field are zero. All words have been written before any is read.
  void make(axi::LiteRequest& item) {
    base::Random& draw = this->random;
    tiled::JobImage words;
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(draw.next());
    words = tiled::encode(tiled::decode(words));
    const int word = written_ < tiled::TiledJob::kWords ? written_++ : draw.uniform(0, tiled::TiledJob::kWords - 1);
    item.write = written_ < tiled::TiledJob::kWords || draw.chance(70);
    item.address = static_cast<std::uint32_t>(4 * word);
    item.value = words[bits(word)];
    if (!item.write || written_ < tiled::TiledJob::kWords) return;
    if (draw.chance(25)) item.address = tiled::TiledJob::kStart;
    if (code_table_ && draw.chance(25))
      item.address = draw.chance(50) ? tiled::LookUp::kEntries : tiled::LookUp::kFormat;
  }
  void next_phase() override { left_ = this->random.uniform(10, 100); }

  const bool code_table_;
  sim::Stream<axi::LiteRequest> request;
  sim::Stream<axi::LiteResponse> response;
  sim::Stream<axi::LiteRequest> table;
  sim::Stream<tiled::TiledJob> inputs, weights, post, store, conv_walker, conv_feeder, fc_walker, fc_feeder;
  tiled::InstructionUnit block_;
  int left_ = 0, written_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<InstructionUnitLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
