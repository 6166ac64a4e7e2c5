// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/command_registers.h"

#include "cosim/job.h"
#include "cosim/lane.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

template <class Model>
class CommandRegistersLane final : public Lane<Model> {
 public:
  CommandRegistersLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        request((name + "_request").c_str()),
        response((name + "_response").c_str()),
        receive_input((name + "_input").c_str()),
        receive_weights((name + "_weights").c_str()),
        receive_bias((name + "_bias").c_str()),
        job((name + "_job").c_str()),
        table((name + "_table").c_str()),
        registers_count_(p["CODE_TABLE"] ? 7 : 6),
        registers_(name.c_str(), p["CODE_TABLE"] == 1) {
    registers_.request(request);
    registers_.response(response);
    registers_.job(job);
    registers_.receive_input(receive_input);
    registers_.receive_weights(receive_weights);
    registers_.receive_bias(receive_bias);
    registers_.table(table);
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
    const auto target = [](auto& port, const axi::ReceiveCommand& item, const auto& field) {
      field("target", 0, port, 0, 2, static_cast<std::uint64_t>(item.target));
    };
    this->output(COSIM_OUTPUT(receive_input), [=](Model& m, const axi::ReceiveCommand& item, const auto& field) {
      target(m.receive_input_target, item, field);
    });
    this->output(COSIM_OUTPUT(receive_weights), [=](Model& m, const axi::ReceiveCommand& item, const auto& field) {
      target(m.receive_weights_target, item, field);
    });
    this->output(COSIM_OUTPUT(receive_bias), [=](Model& m, const axi::ReceiveCommand& item, const auto& field) {
      target(m.receive_bias_target, item, field);
    });
    this->output(COSIM_OUTPUT(job), [](Model& m, const stream::Command& item, const auto& field) {
      job_fields(m.job_image, item, field);
    });
    this->output(COSIM_OUTPUT(table), [](Model& m, const stream::TableWrite& item, const auto& field) {
      field("entries", 0, m.table_data, 0, 23, item.value());
    });
  }

 private:
  void make(axi::LiteRequest& item) {
    base::Random& r = this->random;
    item.write = r.chance(85);
    item.address = stream::register_offset(r.chance(40) ? 1 : r.uniform(1, registers_count_));
    item.value = static_cast<std::uint32_t>(r.next());
  }
  void next_phase() override { left_ = this->random.uniform(30, 300); }

  sim::Stream<axi::LiteRequest> request;
  sim::Stream<axi::LiteResponse> response;
  sim::Stream<axi::ReceiveCommand> receive_input, receive_weights, receive_bias;
  sim::Stream<stream::Command> job;
  sim::Stream<stream::TableWrite> table;
  const int registers_count_;
  stream::CommandRegisters registers_;
  int left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<CommandRegistersLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
