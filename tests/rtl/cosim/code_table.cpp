// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/code_table.h"

#include <array>

#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

template <class Model>
class CodeTableLane final : public Lane<Model> {
 public:
  CodeTableLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        channels_(p["OUTPUT_CHANNELS"]),
        in((name + "_in").c_str()),
        out((name + "_out").c_str()),
        entries((name + "_entries").c_str()),
        table_(name.c_str(), array_of(channels_)) {
    this->plant_port_fault();
    jobs_[1].by_table = 1;
    table_.in(in);
    table_.out(out);
    table_.entries(entries);
    this->input(
        COSIM_INPUT(in),
        [this](Model& m, const stream::Pixel& item, const auto& field) {
          tag_fields(m.in_tag, item.tag, field);
          byte_fields(m.in_bytes, item.bytes, channels_, field);
          m.job_by_table = item.tag.job->by_table & 1;
        },
        left_,
        [this](stream::Pixel& item) {
          item.tag = random_tag(jobs_[this->random.chance(70)], this->random);
          for (std::uint8_t& byte : item.bytes) byte = static_cast<std::uint8_t>(this->random.next());
        });
    this->input(
        COSIM_INPUT(entries),
        [](Model& m, const stream::TableWrite& item, const auto& field) {
          field("entries", 0, m.entries_data, 0, 23, item.value());
        },
        writes_,
        [this](stream::TableWrite& item) {
          item = stream::TableWrite::of(static_cast<std::uint32_t>(this->random.next()));
        });
    this->output(COSIM_OUTPUT(out), [this](Model& m, const stream::Pixel& item, const auto& field) {
      tag_fields(m.out_tag, item.tag, field);
      byte_fields(m.out_bytes, item.bytes, channels_, field);
    });
  }

 private:
  static stream::ArrayConfig array_of(int channels) {
    stream::ArrayConfig array;
    array.output_channels = channels;
    return array;
  }
  void next_phase() override {
    left_ = this->random.uniform(50, 400);
    writes_ = this->random.uniform(0, 300);
  }

  const int channels_;
  sim::Stream<stream::Pixel> in, out;
  sim::Stream<stream::TableWrite> entries;
  stream::CodeTableUnit table_;
  std::array<stream::Command, 2> jobs_{};
  int left_ = 0, writes_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<CodeTableLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
