// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/adder_tree.h"

#include "cosim/array.h"
#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

template <class Model>
class AdderTreeLane final : public Lane<Model> {
 public:
  AdderTreeLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        array_(array_of(p)),
        products((name + "_products").c_str()),
        sums((name + "_sums").c_str()),
        tree_(name.c_str(), array_) {
    tree_.products(products);
    tree_.sums(sums);
    const int terms = array_.rows * array_.row_terms(), width = array_.term_bits();
    const int lanes = base::round_up(array_.window_values(), kernels::kLanes);
    const int channels = array_.output_channels;
    const int bits = width + base::ceil_log2(array_.row_terms()) + base::ceil_log2(array_.rows);
    this->input(
        COSIM_INPUT(products),
        [=](Model& m, const stream::Terms& item, const auto& field) {
          tag_fields(m.products_tag, item.tag, field);
          for (int o = 0, k = 0; o < channels; ++o)
            for (int i = 0; i < terms; ++i, ++k)
              field("values", k, m.products_values, width * k, width,
                    static_cast<std::uint64_t>(term_of(item, array_, o, i)));
        },
        left_,
        [=](stream::Terms& item) {
          item.tag = random_tag(job_, this->random);
          item.kind = array_.chains() ? stream::Terms::Kind::row_sums : stream::Terms::Kind::products;
          const bool extreme = this->random.chance(10);
          for (int o = 0; o < channels; ++o)
            for (int i = 0; i < terms; ++i) {
              if (array_.chains())
                item.sums[static_cast<std::size_t>(o * terms + i)] =
                    extreme ? -130560 : this->random.uniform(-130560, 129540);
              else
                item.products[static_cast<std::size_t>(o * lanes + i)] =
                    static_cast<std::int16_t>(extreme ? -32640 : this->random.uniform(-32640, 32385));
            }
        });
    this->output(COSIM_OUTPUT(sums), [=](Model& m, const stream::Sums& item, const auto& field) {
      tag_fields(m.sums_tag, item.tag, field);
      for (int k = 0; k < item.tag.job->parallel * channels; ++k)
        field("values", k, m.sums_values, k * bits, bits,
              static_cast<std::uint64_t>(item.values[static_cast<std::size_t>(k)]));
    });
  }

 private:
  void next_phase() override {
    random_parallel(job_, array_, this->random);
    left_ = this->random.uniform(30, 200);
  }
  void drive_levels(Model& m) override {
    m.job_parallel = static_cast<CData>(job_.parallel);
    m.job_kernel = static_cast<CData>(job_.kernel);
  }

  const stream::ArrayConfig array_;
  sim::Stream<stream::Terms> products;
  sim::Stream<stream::Sums> sums;
  stream::AdderTree tree_;
  stream::Command job_;
  int left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<AdderTreeLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
