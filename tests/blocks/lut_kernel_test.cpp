// SPDX-License-Identifier: Apache-2.0
#include "support/lut_kernel.h"
#include "blocks/compressor_tree.h"
#include "blocks/lut_multiplier.h"
#include "blocks/reload_controller.h"
#include "support/blocks.h"

namespace fansim::lut_kernel_test {

namespace {

// Combines controller, tables and tree to a kernel.
struct Kernel {
  Kernel(const std::string& name, const test::KernelWork& work, test::Stalls stalls)
      : sets((name + "_sets").c_str()),
        beats((name + "_beats").c_str()),
        inputs((name + "_inputs").c_str()),
        entries((name + "_entries").c_str()),
        sums((name + "_sums").c_str()),
        coefficients((name + "_coefficients").c_str(), work.sets, stalls.in, 1),
        vectors((name + "_vectors").c_str(), work.vectors, stalls.in, 2),
        sink((name + "_sink").c_str(), stalls.out, 3),
        controller((name + "_controller").c_str(), work.config),
        multiplier((name + "_multiplier").c_str(), work.config),
        tree((name + "_tree").c_str(), work.config) {
    coefficients.out(sets);
    controller.coefficients(sets);
    controller.reload(beats);
    multiplier.reload(beats);
    vectors.out(inputs);
    multiplier.inputs(inputs);
    multiplier.entries(entries);
    tree.entries(entries);
    tree.sums(sums);
    sink.in(sums);
  }
  sim::Stream<blocks::Coefficients> sets;
  sim::Stream<blocks::ReloadBeat> beats;
  sim::Stream<blocks::KernelInputs> inputs;
  sim::Stream<blocks::TableEntries> entries;
  sim::Stream<blocks::KernelSum> sums;
  test::Source<blocks::Coefficients> coefficients;
  test::Source<blocks::KernelInputs> vectors;
  test::Sink<blocks::KernelSum> sink;
  blocks::ReloadController controller;
  blocks::LutMultiplier multiplier;
  blocks::CompressorTree tree;
};

void run(test::Bench& bench, const std::vector<std::unique_ptr<Kernel>>& kernels,
         const std::vector<std::unique_ptr<test::KernelWork>>& work) {
  REQUIRE(bench.run_until([&] {
    for (std::size_t i = 0; i < kernels.size(); ++i)
      if (kernels[i]->sink.count() < work[i]->vectors.size()) return false;
    return true;
  }));
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    INFO(test::text(work[i]->config));
    for (std::size_t k = 0; k < work[i]->vectors.size(); ++k)
      REQUIRE(kernels[i]->sink.items()[k].value == work[i]->expected(k));
  }
}

}  // namespace

TEST_CASE("a kernel's sums are plain sums of products or those faithfully rounded and so they are under stalls") {
  const std::uint64_t seed = 44;
  INFO("seed " << seed);
  base::Random random(seed);
  test::Bench bench;
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::vector<std::unique_ptr<test::KernelWork>> work;
  for (const auto& config : test::kernel_sizes()) {
    for (const test::Stalls stalls : {test::Stalls{0, 0}, test::Stalls{30, 70}, test::Stalls{70, 30}}) {
      work.push_back(std::make_unique<test::KernelWork>(config, 8, 50, random));
      kernels.push_back(std::make_unique<Kernel>(fmt::format("kernel{}", kernels.size()), *work.back(), stalls));
    }
  }
  run(bench, kernels, work);
}

TEST_CASE("one 8 x 8 bit LUT multiplier is exact over all operands") {
  test::Bench bench;
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::vector<std::unique_ptr<test::KernelWork>> work;
  base::Random random(1);
  work.push_back(std::make_unique<test::KernelWork>(test::kernel_of(1, 8, 8, false, true), 0, 1, random));
  for (int c = -128; c < 128; ++c) {
    work[0]->sets.emplace_back();
    work[0]->sets.back().values[0] = static_cast<std::int16_t>(c);
    for (int x = -128; x < 128; ++x) {
      work[0]->add_vector(c + 128, x == -128, random);
      work[0]->vectors.back().x[0] = static_cast<std::int16_t>(x);
    }
  }
  kernels.push_back(std::make_unique<Kernel>("kernel", *work[0], test::Stalls{0, 0}));
  run(bench, kernels, work);
  CHECK(test::back_to_back(kernels[0]->sink.edges()));
}

}  // namespace fansim::lut_kernel_test
