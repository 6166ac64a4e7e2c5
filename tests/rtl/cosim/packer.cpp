// SPDX-License-Identifier: Apache-2.0
#include "axi/packer.h"

#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

contract::AxiConfig axi_of(const Parameters& p) {
  contract::AxiConfig axi;
  axi.data_bits = 8 * p["BEAT_BYTES"];
  return axi;
}

template <class Model>
class PackerLane final : public Lane<Model> {
 public:
  PackerLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        word_bytes_(p["WORD_BYTES"]),
        in((name + "_in").c_str()),
        m_axis((name + "_m_axis").c_str()),
        packer_(name.c_str(), axi_of(p)) {
    packer_.in(in);
    packer_.m_axis(m_axis);
    this->input(
        COSIM_INPUT(in),
        [](Model& m, const axi::Word& word, const auto& field) {
          byte_fields(m.in_data, word.data, word.bytes, field);
          field("bytes", 0, m.in_bytes, 0, 5, static_cast<std::uint64_t>(word.bytes));
          field("last", 0, m.in_last, 0, 1, word.last);
        },
        left_, [this](axi::Word& word) { make(word); });
    this->output(COSIM_OUTPUT(m_axis), [](Model& m, const axi::StreamBeat& beat, const auto& field) {
      byte_fields(m.m_axis_data, beat.data, beat.bytes, field);
      field("bytes", 0, m.m_axis_bytes, 0, 5, static_cast<std::uint64_t>(beat.bytes));
      field("last", 0, m.m_axis_last, 0, 1, beat.last);
    });
  }

 private:
  void make(axi::Word& word) {
    word.bytes = fixed_bytes_ ? fixed_bytes_ : this->random.uniform(1, word_bytes_);
    word.data = {};
    for (int i = 0; i < word.bytes; ++i)
      word.data[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(this->random.next());
    word.last = left_ == 0 || this->random.chance(5);
  }
  void next_phase() override {
    fixed_bytes_ = this->random.chance(50) ? this->random.uniform(1, word_bytes_) : 0;
    left_ = this->random.uniform(1, 300);
  }

  const int word_bytes_;
  sim::Stream<axi::Word> in;
  sim::Stream<axi::StreamBeat> m_axis;
  axi::Packer packer_;
  int fixed_bytes_ = 0;  // bytes of every word of the phase; 0: any
  int left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<PackerLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
