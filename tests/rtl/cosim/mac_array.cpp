// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/mac_array.h"

#include "cosim/array.h"
#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 5;

// Passes of random windows; of the weights and activations, many are the ends of their ranges.
template <class Model>
class MacArrayLane final : public Lane<Model> {
 public:
  MacArrayLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        array_(array_of(p)),
        windows((name + "_windows").c_str()),
        weights((name + "_weights").c_str()),
        products((name + "_products").c_str()),
        block_(name.c_str(), array_) {
    block_.windows(windows), block_.weights(weights), block_.products(products);
    const int taps = array_.window_values();
    const int column = array_.weight_column_bytes();
    const int terms = array_.rows * array_.row_terms(), bits = array_.term_bits();
    const int channels = array_.output_channels;
    this->input(
        COSIM_INPUT(windows),
        [=](Model& m, const stream::Window& item, const auto& field) {
          tag_fields(m.windows_tag, item.tag, field);
          for (int i = 0; i < taps; ++i)
            field("taps", i, m.windows_taps, 8 * i, 8,
                  static_cast<std::uint64_t>(item.taps[static_cast<std::size_t>(i)]));
        },
        windows_left_, [=](stream::Window& item) { make(item); });
    this->input(
        COSIM_INPUT(weights),
        [=](Model& m, const stream::WeightColumn& item, const auto& field) {
          for (int i = 0; i < column; ++i)
            field("bytes", i, m.weights_bytes, 8 * i, 8, item.bytes[static_cast<std::size_t>(i)]);
        },
        columns_left_,
        [=](stream::WeightColumn& item) {
          for (int i = 0; i < column; ++i)
            item.bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(byte(true));
        });
    this->output(COSIM_OUTPUT(products), [=](Model& m, const stream::Products& item, const auto& field) {
      tag_fields(m.products_tag, item.tag, field);
      for (int o = 0, k = 0; o < channels; ++o)
        for (int i = 0; i < terms; ++i, ++k)
          field("values", k, m.products_values, bits * k, bits,
                static_cast<std::uint64_t>(term_of(item, array_, o, i)));
    });
  }

 private:
  int byte(bool is_signed) {
    const int low = is_signed ? -128 : 0;
    const int draw = this->random.uniform(0, 319);
    return draw < 256 ? low + draw : draw < 288 ? low : low + 255;
  }

  void make(stream::Window& item) {
    item.tag = random_tag(job_, this->random);
    item.tag.new_weights = pass_left_ == 0;
    if (pass_left_ == 0) pass_left_ = this->random.uniform(1, longest_);
    // The last pass takes what is left.
    --pass_left_;
    if (item.tag.new_weights) --sets_left_;
    if (sets_left_ == 0 && item.tag.new_weights) windows_left_ = pass_left_;
    for (int i = 0; i < array_.window_values(); ++i)
      item.taps[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(byte(!job_.input_unsigned));
  }

  void next_phase() override {
    job_.input_unsigned = array_.sums_exactly(true) ? this->random.uniform(0, 1) : 0;
    longest_ = this->random.uniform(1, 12);
    sets_left_ = this->random.uniform(5, 40);
    columns_left_ = sets_left_ * array_.cols;
    windows_left_ = sets_left_ * longest_;  // at most; the last pass says how many
    pass_left_ = 0;
  }
  void drive_levels(Model& m) override { m.job_input_unsigned = job_.input_unsigned != 0; }

  const stream::ArrayConfig array_;
  sim::Stream<stream::Window> windows;
  sim::Stream<stream::WeightColumn> weights;
  sim::Stream<stream::Products> products;
  stream::MacArray block_;
  stream::Command job_;
  int windows_left_ = 0, columns_left_ = 0;
  int sets_left_ = 0, longest_ = 1, pass_left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<MacArrayLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
