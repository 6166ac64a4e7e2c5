// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/sliding_window.h"

#include "cosim/array.h"
#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;

// Passes over random columns. The twin's taps are bytes, which the MAC array widens.
template <class Model>
class SlidingWindowLane final : public Lane<Model> {
 public:
  SlidingWindowLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        array_(array_of(p)),
        pass((name + "_pass").c_str()),
        columns((name + "_columns").c_str()),
        windows((name + "_windows").c_str()),
        block_(name.c_str(), array_) {
    block_.pass(pass);
    block_.columns(columns);
    block_.windows(windows);
    const int column = array_.rows * array_.input_channels, taps = array_.window_values();
    this->input(
        COSIM_INPUT(pass),
        [](Model& m, const stream::Pass& item, const auto& field) {
          field("row", 0, m.pass_row, 0, 14, static_cast<std::uint64_t>(item.row));
          field("x_block", 0, m.pass_x_block, 0, 8, static_cast<std::uint64_t>(item.x_block));
          field("group", 0, m.pass_group, 0, 16, static_cast<std::uint64_t>(item.group));
          field("entry", 0, m.pass_entry, 0, 20, static_cast<std::uint64_t>(item.entry));
          field("first", 0, m.pass_first, 0, 1, item.first);
          field("last", 0, m.pass_last, 0, 1, item.last);
          field("job_end", 0, m.pass_job_end, 0, 1, item.job_end);
        },
        passes_left_, [this](stream::Pass& item) { make(item); });
    this->input(
        COSIM_INPUT(columns),
        [=](Model& m, const stream::Column& item, const auto& field) {
          for (int i = 0; i < column; ++i)
            field("bytes", i, m.columns_bytes, 8 * i, 8, item.bytes[static_cast<std::size_t>(i)]);
        },
        columns_left_,
        [=](stream::Column& item) {
          for (int i = 0; i < column; ++i)
            item.bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(this->random.next());
        });
    this->output(COSIM_OUTPUT(windows), [=](Model& m, const stream::Window& item, const auto& field) {
      tag_fields(m.windows_tag, item.tag, field);
      for (int i = 0; i < taps; ++i)
        field("taps", i, m.windows_taps, 8 * i, 8, static_cast<std::uint64_t>(item.taps[static_cast<std::size_t>(i)]));
    });
  }

 private:
  void make(stream::Pass& item) {
    base::Random& draw = this->random;
    item.job = &job_;
    item.block = draw.uniform(0, job_.blocks - 1);
    item.x_block = draw.uniform(0, job_.x_blocks - 1);
    item.row = draw.uniform(0, 9999);
    item.group = draw.uniform(0, 0xffff);
    item.entry = draw.uniform(0, 0xfff00);
    item.first = draw.chance(50);
    item.last = draw.chance(50);
    item.job_end = draw.chance(50);
  }

  void next_phase() override {
    base::Random& draw = this->random;
    job_ = {};
    job_.input_unsigned = draw.uniform(0, 1);
    const int kind = draw.uniform(0, 9);
    if (kind < 2) {
      job_.matrix = 1;
      job_.stride = array_.cols;
      job_.fill_pieces = job_.windows = draw.uniform(1, 20);
      job_.columns = job_.windows * array_.cols;
    } else if (kind < 3) {
      job_.hidden_input = 1;
      job_.start_recurrent = 1;
      job_.windows = 30;  // for the accumulated block, not for a pass
      job_.columns = array_.cols;
    } else {
      random_parallel(job_, array_, draw);
      job_.windows = draw.uniform(1, 40);
      job_.columns = (job_.windows - 1) * job_.stride + job_.kernel + draw.uniform(0, 3);
      job_.blocks = base::ceil_div(job_.kernel, array_.rows);
      job_.x_blocks = base::ceil_div(job_.kernel, array_.cols);
    }
    passes_left_ = draw.uniform(1, 10);
    columns_left_ = passes_left_ * job_.columns;
  }

  void drive_levels(Model& m) override {
    m.job_columns = static_cast<SData>(job_.columns);
    m.job_windows = static_cast<SData>(job_.windows);
    m.job_kernel = static_cast<CData>(job_.kernel);
    m.job_stride = static_cast<CData>(job_.stride);
    m.job_parallel = static_cast<CData>(job_.parallel);
    m.job_matrix = job_.matrix != 0;
    m.job_hidden_input = job_.hidden_input != 0;
  }

  const stream::ArrayConfig array_;
  sim::Stream<stream::Pass> pass;
  sim::Stream<stream::Column> columns;
  sim::Stream<stream::Window> windows;
  stream::SlidingWindow block_;
  stream::Command job_;
  int passes_left_ = 0, columns_left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<SlidingWindowLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
