// SPDX-License-Identifier: Apache-2.0
#include "primitives/dsp48e2.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/random.h"
#include "cosim/bits.h"
#include "cosim/session.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

using primitives::Dsp48e2;
using primitives::Dsp48e2Attributes;
using primitives::Dsp48e2Inputs;

constexpr int kFaults = 2;

Dsp48e2Attributes attributes_of(const Parameters& p) {
  Dsp48e2Attributes at;
  at.areg = at.acascreg = p["AREG"];
  at.breg = at.bcascreg = p["BREG"];
  at.dreg = p["DREG"];
  at.adreg = p["ADREG"];
  at.creg = p["CREG"];
  at.mreg = p["MREG"];
  at.alumodereg = at.carryinreg = at.carryinselreg = at.inmodereg = at.opmodereg = 0;
  if (p["AD"] == 1) at.amultsel = Dsp48e2Attributes::MultiplierA::ad;
  if (p["SIMD"] > 0) {
    at.use_simd = p["SIMD"] == 1 ? Dsp48e2Attributes::Simd::two24 : Dsp48e2Attributes::Simd::four12;
    at.use_mult = Dsp48e2Attributes::Multiplier::none;
  }
  return at;
}

// Compares the model that represents the slice in the twins with the primitive, over everything that it does.
template <class Model>
class Dsp48e2Lane final : public LaneBase {
 public:
  Dsp48e2Lane(const std::string& name, const Parameters& p)
      : name_(name), random_(1, name), attributes_(attributes_of(p)), slice_(attributes_) {
    for (int fault = 0; fault <= kFaults; ++fault) {
      models_.push_back(std::make_unique<Model>(&context_, fmt::format("fault_{}", fault).c_str()));
      models_.back()->fault = static_cast<CData>(fault);
    }
  }

  void at_edge() override {
    const Dsp48e2Inputs in = random_inputs();
    for (const auto& model : models_) drive(*model, in, 0);
    const primitives::Dsp48e2Outputs out = slice_.step(in);
    for (const auto& model : models_) drive(*model, in, 1);
    ++cycles_;
    const auto agrees = [&](const Model& model) { return model.P == out.p.value && model.PCOUT == out.pcout.value; };
    for (int fault = 1; fault <= kFaults; ++fault)
      if (!agrees(*models_[static_cast<std::size_t>(fault)]) &&
          std::find(caught_.begin(), caught_.end(), fault) == caught_.end())
        caught_.push_back(fault);
    const Model& sound = *models_.front();
    if (agrees(sound) && out.report.empty()) return;
    failed_ = true;
    fmt::print(stderr, "{}: cycle {}: OPMODE {:09b}: P is {:012x} in the primitive, {:012x} in the model {}\n", name_,
               cycles_, in.opmode, out.p.value, sound.P, out.report);
  }

  std::int64_t cycles() const override { return cycles_; }
  std::int64_t beats() const override { return cycles_; }
  bool failed() const override { return failed_; }
  const std::vector<int>& caught() const override { return caught_; }

 private:
  std::uint64_t value(int bits) {
    const std::uint64_t all = primitives::ones(bits), sign = std::uint64_t{1} << (bits - 1);
    const std::uint64_t ends[] = {0, all, sign, sign - 1};
    return random_.chance(30) ? ends[random_.uniform(0, 3)] : random_.next() & all;
  }

  std::uint64_t one_of(std::initializer_list<unsigned> words) {
    return *(words.begin() + random_.uniform(0, static_cast<int>(words.size()) - 1));
  }

  // Draws an operation of the ALU: a sum or difference, or a logic function of X and Z.
  void choose_operation(Dsp48e2Inputs& in) {
    const std::uint64_t z = one_of({0, 1, 2, 3}) << 4;
    if (random_.chance(30)) {
      in.alumode = one_of({0b0100, 0b0101, 0b0110, 0b0111, 0b1100, 0b1101, 0b1110, 0b1111});
      in.opmode = z | one_of({0, 0b10}) << 2 | one_of({0, 0b10, 0b11});
      return;
    }
    const bool product = attributes_.use_mult == Dsp48e2Attributes::Multiplier::multiply && random_.chance(60);
    const std::uint64_t yx = product ? 0b0101 : one_of({0, 0b11}) << 2 | one_of({0, 0b10, 0b11});
    in.alumode = one_of({0, 0b0011});
    in.opmode = one_of({0, 1, 3}) << 7 | z | yx;
  }

  Dsp48e2Inputs random_inputs() {
    Dsp48e2Inputs in;
    in.a = value(30);
    in.b = value(18);
    in.c = value(48);
    in.d = value(27);
    in.pcin = value(48);
    in.inmode = one_of({0, 0b00100, 0b00100, 0b01100});
    choose_operation(in);
    for (bool Dsp48e2Inputs::*enable :
         {&Dsp48e2Inputs::cea1, &Dsp48e2Inputs::cea2, &Dsp48e2Inputs::cead, &Dsp48e2Inputs::ceb1, &Dsp48e2Inputs::ceb2,
          &Dsp48e2Inputs::cec, &Dsp48e2Inputs::ced, &Dsp48e2Inputs::cem, &Dsp48e2Inputs::cep})
      in.*enable = random_.chance(85);
    return in;
  }

  static void drive(Model& m, const Dsp48e2Inputs& in, int clk) {
    m.A = static_cast<IData>(in.a);
    m.B = static_cast<IData>(in.b);
    m.C = in.c;
    m.D = static_cast<IData>(in.d);
    m.ALUMODE = static_cast<CData>(in.alumode);
    m.PCIN = in.pcin;
    m.INMODE = static_cast<CData>(in.inmode);
    m.OPMODE = static_cast<SData>(in.opmode);
    m.CEA1 = in.cea1;
    m.CEA2 = in.cea2;
    m.CEAD = in.cead;
    m.CEB1 = in.ceb1;
    m.CEB2 = in.ceb2;
    m.CEC = in.cec;
    m.CED = in.ced;
    m.CEM = in.cem;
    m.CEP = in.cep;
    m.CLK = clk != 0;
    m.eval();
  }

  const std::string name_;
  base::Random random_;
  const Dsp48e2Attributes attributes_;
  Dsp48e2 slice_;
  VerilatedContext context_;
  std::vector<std::unique_ptr<Model>> models_;  // by fault; the first is sound
  bool failed_ = false;
  std::int64_t cycles_ = 0;
  std::vector<int> caught_;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<Dsp48e2Lane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
