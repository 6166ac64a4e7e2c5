// SPDX-License-Identifier: Apache-2.0
#include "sim/reg.h"

#include <catch2/catch.hpp>

#include "support/stream_bench.h"

namespace fansim::reg_test {

namespace {

// Sets its register to the edge number at every third edge, twice.
class Writer final : public sim::Module {
 public:
  explicit Writer(const sc_core::sc_module_name& name) : Module(name) {}
  sim::Reg<std::int64_t> value{*this, "value", -1};
  bool own_view = true;

 private:
  void step() override {
    if (now() % 3) return;
    value.set(-7);
    value.set(now());
    own_view &= value.next() == now() && value.get() == (now() == 3 ? -1 : now() - 3);
  }
};

class Reader final : public sim::Module {
 public:
  explicit Reader(const sc_core::sc_module_name& name) : Module(name) {}
  const sim::Reg<std::int64_t>* reg = nullptr;
  std::vector<std::int64_t> seen;

 private:
  void step() override { seen.push_back(reg->get()); }
};

}  // namespace

TEST_CASE("a register shows its new value one edge after it is set to blocks that step before and after") {
  test::Bench bench;
  Reader early("early");  // modules step in the order of their construction
  Writer writer("writer");
  Reader late("late");
  early.reg = late.reg = &writer.value;
  bench.run(20);
  CHECK(early.seen == late.seen);
  for (std::int64_t edge = 1; edge <= 20; ++edge)
    CHECK(late.seen[static_cast<std::size_t>(edge - 1)] == (edge <= 3 ? -1 : (edge - 1) / 3 * 3));
  CHECK(writer.own_view);
  CHECK(writer.value.full_name() == "writer.value");
}

}  // namespace fansim::reg_test
