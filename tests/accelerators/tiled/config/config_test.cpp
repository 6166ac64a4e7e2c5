// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/config.h"

#include <catch2/catch.hpp>

#include "base/file.h"
#include "support/user_error.h"

namespace fansim::config_test {

using test::message_of;

namespace {

const std::string kConfigs = std::string(FANSIM_SOURCE_DIR) + "/configs/";

std::string path(const std::string& name) { return kConfigs + "systems/faq_zcu102_" + name + ".yaml"; }

tiled::Config load(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return tiled::Config::read(path(name), overrides);
}

// Returns the message for the configuration with `overrides`, after the last of them.
std::string refusal(const std::vector<std::string>& overrides, const std::string& name = "dorefa8") {
  return message_of([&] { load(name, overrides); });
}

}  // namespace

TEST_CASE("FAQ-CNN's configuration holds the paper's parameters") {
  const tiled::Config c = load("dorefa8");
  CHECK(c.name == "faq_zcu102_dorefa8");
  CHECK(c.device.dsp == 2520);
  CHECK(c.clock_hz() == 200e6);
  CHECK(c.port_mhz == base::Rational{1000, 3});
  CHECK(c.conv.macs_per_cycle() == 3072);
  CHECK(c.conv.dsp_channels == 99);
  CHECK(c.first.macs_per_cycle() == 288);
  CHECK_FALSE(c.first.double_buffer);
  CHECK(c.load.input_bits == 32);
  CHECK(c.load.weight_bits == 256);
  CHECK(c.weights.level1 == tiled::WeightStore::lut);
  CHECK(c.weights.half_bytes() == 128 * 24 * 25);
  CHECK(load("bnn").conv.macs_per_cycle() == 8192);
}

TEST_CASE("a port is no wider than a column access of a memory with banks") {
  const test::ScratchDirectory scratch;
  std::string part = base::read_file(kConfigs + "parts/ddr4_2133_x8_4gb.yaml");
  part.replace(part.find("data_bits: 64"), 13, "data_bits: 16");
  for (std::size_t at; (at = part.find("byte3")) != std::string::npos;) part.replace(at, 5, "byte1");
  const std::string file = scratch / "narrow.yaml";
  base::write_file(file, part);
  const std::vector<std::string> banked{"ddr.fidelity=banked", "ddr.part=" + file};
  CHECK(load("dorefa8", banked).ddr.part.access_bytes() == 16);
  const std::vector<std::string> wide{banked[0], banked[1], "port.data_bits=256"};
  CHECK_THAT(refusal(wide),
             Catch::Contains("port: data_bits 256 is wider than a column access of ddr4_2133_x8_4gb: 128 bits"));
  CHECK(load("dorefa8", {"port.data_bits=256"}).port.data_bits == 256);
}

TEST_CASE("the tiled configuration's hash follows every effective value and nothing else") {
  const std::string hash = load("dorefa8").hash;
  CHECK(hash.size() == 16);
  CHECK(load("dorefa8", {"load.gap=1"}).hash == hash);
  CHECK(load("dorefa8", {"name=other"}).hash == hash);
  for (const char* change : {"load.gap=2", "port_mhz=300", "quantisation.method=vecq", "first.tm=64", "weights.kib=76"})
    CHECK(load("dorefa8", {change}).hash != hash);
}

TEST_CASE("words and keys of a tiled configuration that do not exist are refused with the nearest that does") {
  CHECK_THAT(refusal({"conv.tmm=3"}), Catch::EndsWith("conv: key 'tmm' unknown; did you mean 'tm'?"));
  CHECK_THAT(refusal({"conv.macs=by_outputs"}),
             Catch::EndsWith("conv: macs 'by_outputs' unknown; did you mean 'by_output'?"));
  CHECK_THAT(refusal({"load.order=serail"}), Catch::EndsWith("load: order 'serail' unknown; did you mean 'serial'?"));
  CHECK_THAT(refusal({"weights.level1=lutt"}), Catch::EndsWith("weights: level1 'lutt' unknown; did you mean 'lut'?"));
  CHECK_THAT(refusal({"quantisation.grain=corse"}),
             Catch::EndsWith("quantisation: grain 'corse' unknown; did you mean 'coarse'?"));
  CHECK_THAT(refusal({"wieghts.kib=3"}), Catch::EndsWith("key 'wieghts' unknown; did you mean 'weights'?"));
}

TEST_CASE("values of a tiled configuration outside their ranges are refused with the range") {
  CHECK_THAT(refusal({"conv.tm=513"}), Catch::Contains("tm 513 is out of range; allowed: an integer 1..512"));
  CHECK_THAT(refusal({"quantisation.weight_bits=17"}), Catch::Contains("allowed: an integer 1..16"));
  CHECK_THAT(refusal({"load.weight_bits=96"}),
             Catch::EndsWith("weight_bits 96 is not a port width; allowed: 8, 16, ... 512"));
  CHECK_THAT(refusal({"store.bits=48"}), Catch::EndsWith("bits 48 is not a port width; allowed: 8, 16, ... 512"));
  CHECK_THAT(refusal({"port_mhz=2000"}), Catch::Contains("port_mhz 2000 is out of range"));
  CHECK_THAT(refusal({"port_mhz=123.456789012"}),
             Catch::EndsWith("has a term above 10000000; a clock next to it is 10000/81"));
  CHECK_THAT(refusal({"port_mhz=333.333333"}), Catch::EndsWith("a clock next to it is 1000/3"));
  CHECK_THAT(
      refusal({"clock_mhz=199.999", "port_mhz=333.3333"}),
      Catch::EndsWith("port_mhz 3333333/10000 meets clock_mhz 199999/1000 every 1999990 cycles, where a layer may "
                      "begin; allowed: 1000000; the next port_mhz of such is 1000/3"));
}

TEST_CASE("chains of packed slices are refused where a slice could not hold or divide what they multiply") {
  const char* const dsp = "dorefa8_dsp";
  CHECK(refusal({"conv.macs=int8_chain", "conv.terms=4"}, dsp).empty());
  CHECK_THAT(refusal({"conv.macs=int8_chain", "conv.tm=127"}, dsp), Catch::Contains("tm 127 must be even"));
  CHECK_THAT(refusal({"conv.macs=int8_chain", "conv.terms=9"}, dsp), Catch::Contains("allowed: an integer 2..8"));
  CHECK_THAT(refusal({"conv.terms=4"}, dsp), Catch::EndsWith("terms: only 'macs: int8_chain' has chains"));
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"quantisation.weight_bits=16"},
        {"quantisation.activation_bits=12"},
        {"quantisation.method=pot", "quantisation.weight_bits=4"},
        {"quantisation.method=pot", "quantisation.weight_bits=4", "quantisation.grain=fine"}}) {
    std::vector<std::string> settings = other;
    settings.emplace_back("conv.macs=int8_chain");
    CHECK_THAT(
        refusal(settings, dsp),
        Catch::Contains("conv: macs int8_chain multiplies evenly spaced weights and activations of at most 8 bits"));
  }
}

TEST_CASE("an engine has both factors or none and divides no more channels than it has") {
  CHECK_THAT(refusal({"fc.tn=0"}), Catch::EndsWith("fc: tm 8 and tn 0: both are 0 or neither"));
  CHECK_THAT(refusal({"conv.tn=0"}), Catch::EndsWith("conv: tn 0 is out of range; allowed: an integer 1..512"));
  CHECK_THAT(refusal({"conv.tm=0", "conv.tn=0"}, "dorefa8_lut"),
             Catch::EndsWith("conv: tm 0 is out of range; allowed: an integer 1..512"));
  CHECK_THAT(refusal({"conv.dsp_channels=129"}), Catch::EndsWith("dsp_channels 129 is more than 128 channels"));
  CHECK_THAT(refusal({"conv.macs=by_input"}), Catch::EndsWith("dsp_channels 99 is more than 24 channels"));
  CHECK_THAT(refusal({"conv.macs=dsp"}), Catch::EndsWith("only 'macs: by_output' and 'by_input' divide the MACs"));
  CHECK(load("dorefa8", {"fc.tm=0", "fc.tn=0"}).fc.exists() == false);
}

TEST_CASE("the ports' data path may be narrower than one of them but not than a byte") {
  CHECK_THAT(refusal({"ddr.data_bits=7"}),
             Catch::EndsWith("data_bits 7 is no data path; allowed: 0 (as wide as a port), 8 and more"));
  CHECK(load("dorefa8", {"ddr.data_bits=64"}).ddr.data_bits == 64);
  CHECK(load("dorefa8", {"ddr.data_bits=128"}).ddr.data_bits == 128);
}

TEST_CASE("a value that is wider than its stream is refused with both widths") {
  CHECK_THAT(refusal({"load.weight_bits=8", "quantisation.weight_bits=9"}),
             Catch::EndsWith("load: weight_bits 8 is narrower than a weight of 9 bits"));
  CHECK_THAT(refusal({"load.input_bits=8", "quantisation.activation_bits=12"}),
             Catch::EndsWith("load: input_bits 8 is narrower than an activation of 12 bits"));
  CHECK_THAT(refusal({"load.weight_bits=8", "quantisation.weight_bits=9", "load.encode=false"}),
             Catch::EndsWith("load: weight_bits 8 is narrower than a weight of 16 bits"));
  CHECK(load("dorefa8", {"load.weight_bits=8", "load.input_bits=8"}).word_bits() == 8);
}

TEST_CASE("widths and grains that a quantisation method does not define are refused with what it does") {
  CHECK_THAT(refusal({"quantisation.method=dorfa"}), Catch::EndsWith("did you mean 'dorefa'?"));
  CHECK_THAT(refusal({"quantisation.method=bnn"}),
             Catch::EndsWith("weight_bits 8 is out of range for 'bnn'; allowed: 1"));
  CHECK_THAT(refusal({"quantisation.method=pot"}),
             Catch::EndsWith("weight_bits 8 is out of range for 'pot'; allowed: 3..5"));
  CHECK_THAT(refusal({"quantisation.grain=coarse"}, "kmeans"), Catch::Contains("did you mean 'fine'?"));
}

}  // namespace fansim::config_test
