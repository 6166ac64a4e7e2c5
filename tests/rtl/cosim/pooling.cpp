// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/pooling.h"

#include <algorithm>
#include <vector>

#include "base/units.h"
#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

// A phase is a layer: its pixels row by row, group by group, column by column, cut into jobs of whole rows.
template <class Model>
class PoolingLane final : public Lane<Model> {
 public:
  PoolingLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        channels_(p["OUTPUT_CHANNELS"]),
        in((name + "_in").c_str()),
        out((name + "_out").c_str()),
        pooling_(name.c_str(), stream::PoolingConfig{p["KERNEL"], p["OPEN"], p["DEPTH"]}, channels_) {
    this->plant_port_fault();
    pooling_.in(in);
    pooling_.out(out);
    this->input(
        COSIM_INPUT(in),
        [this](Model& m, const stream::Pixel& item, const auto& field) {
          tag_fields(m.in_tag, item.tag, field);
          byte_fields(m.in_bytes, item.bytes, channels_, field);
          drive_job(m, *item.tag.job);
        },
        left_, [this](stream::Pixel& item) { make(item); });
    this->output(COSIM_OUTPUT(out), [this](Model& m, const stream::Pixel& item, const auto& field) {
      tag_fields(m.out_tag, item.tag, field);
      byte_fields(m.out_bytes, item.bytes, channels_, field);
    });
  }

 private:
  void make(stream::Pixel& item) {
    item.tag = random_tag(*job_, this->random);
    item.tag.row = y_ - job_->output_row;
    item.tag.group = group_;
    item.tag.x = x_;
    for (int o = 0; o < channels_; ++o)
      item.bytes[static_cast<std::size_t>(o)] = static_cast<std::uint8_t>(this->random.next());
    if (++x_ < layer_.windows) return;
    x_ = 0;
    if (++group_ < layer_.groups) return;
    group_ = 0;
    if (++y_ - job_->output_row == rows_per_job_) ++job_;
  }

  static int pooled(int size, int kernel, int stride, int before, int behind) {
    return std::max(1, (size + before + behind - kernel) / stride + 1);
  }

  void next_phase() override {
    base::Random& r = this->random;
    const int kernel_most = this->parameters["KERNEL"];
    do {
      layer_ = {};
      layer_.pool = r.chance(85);
      layer_.output_unsigned = r.chance(50);
      layer_.pool_kernel = r.uniform(1, kernel_most);
      layer_.pool_stride = r.uniform(1, kernel_most + 1);
      layer_.pool_top = r.uniform(0, layer_.pool_kernel / 2);
      layer_.pool_left = r.uniform(0, layer_.pool_kernel / 2);
      layer_.output_rows = r.uniform(1, 20);
      layer_.windows = r.uniform(1, 30);
      layer_.groups = r.uniform(1, 4);
      // Padding behind, or what rounding up adds: every window meets the map.
      const int behind = r.uniform(0, layer_.pool_kernel / 2);
      layer_.pool_columns = pooled(layer_.windows, layer_.pool_kernel, layer_.pool_stride, layer_.pool_left, behind);
      layer_.pool_rows = pooled(layer_.output_rows, layer_.pool_kernel, layer_.pool_stride, layer_.pool_top, behind);
    } while (base::ceil_div(layer_.pool_kernel, layer_.pool_stride) > this->parameters["OPEN"] ||
             layer_.groups * layer_.pool_columns > this->parameters["DEPTH"]);
    rows_per_job_ = r.uniform(1, layer_.output_rows);
    jobs_.clear();
    for (int row = 0; row < layer_.output_rows; row += rows_per_job_) {
      jobs_.push_back(layer_);
      jobs_.back().output_row = row;
    }
    job_ = jobs_.data();
    y_ = group_ = x_ = 0;
    left_ = layer_.output_rows * layer_.windows * layer_.groups;
  }

  static void drive_job(Model& m, const stream::Command& job) {
    m.job_pool = job.pool & 1;
    m.job_output_unsigned = job.output_unsigned & 1;
    m.job_pool_kernel = static_cast<CData>(job.pool_kernel);
    m.job_pool_stride = static_cast<CData>(job.pool_stride);
    m.job_pool_top = static_cast<CData>(job.pool_top);
    m.job_pool_left = static_cast<CData>(job.pool_left);
    m.job_pool_columns = static_cast<SData>(job.pool_columns);
    m.job_pool_rows = static_cast<SData>(job.pool_rows);
    m.job_windows = static_cast<SData>(job.windows);
    m.job_output_row = static_cast<SData>(job.output_row);
    m.job_output_rows = static_cast<SData>(job.output_rows);
  }

  const int channels_;
  sim::Stream<stream::Pixel> in, out;
  stream::Pooling pooling_;
  stream::Command layer_;
  std::vector<stream::Command> jobs_;
  const stream::Command* job_ = nullptr;
  int rows_per_job_ = 1;
  int y_ = 0, group_ = 0, x_ = 0;  // next pixel
  int left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<PoolingLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
