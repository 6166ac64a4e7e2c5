// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <limits>

#include "base/file.h"
#include "base/npy.h"
#include "network/codes/quantise.h"
#include "network/reference/reference.h"
#include "support/user_error.h"

namespace fansim::codes_test {

using namespace network;

namespace {

constexpr arith::QuantiserFormat kWide{48, 48, arith::Rounding::half_up};

struct Codes : test::ScratchDirectory {
  Codes() {
    base::write_npy(*this / "w.npy", {1, 4}, std::vector<std::uint8_t>{0, 1, 2, 3});
    base::write_npy(*this / "b.npy", {1}, std::vector<std::int32_t>{10});
    base::write_npy(*this / "x.npy", {1, 1, 4}, std::vector<std::uint8_t>{9, 8, 7, 6});
  }

  Network load(const std::string& quantised, const std::string& layer, const std::string& type = "uint8",
               const std::string& input = "") const {
    base::write_file(*this / "n.yaml", "version: 1\nname: n\nquantised: {" + quantised +
                                           "}\ninput: {shape: [1, 1, 4], type: " + type +
                                           ", zero_point: 5}\nlayers:\n- {" + layer + "}\n");
    LoadOptions options;
    if (!input.empty()) options.input = *this / input;
    return load_network(*this / "n.yaml", options);
  }
  // Returns the message after the network's path.
  std::string message(const std::string& quantised, const std::string& layer, const std::string& type = "uint8") const {
    const std::string text = test::message_of([&] { load(quantised, layer, type); });
    const std::string path = *this / "n.yaml:";
    return text.compare(0, path.size(), path) == 0 ? text.substr(path.size()) : text;
  }
};

const std::string kFour = "method: vecq, weight_bits: 2, activation_bits: 4";
const std::string kLayer =
    "name: f, type: fc, units: 1, weights: w.npy, bias: b.npy, quant: {scale: 3, shift: 1, "
    "zero_point: 2, type: uint8}";

}  // namespace

TEST_CASE("a network of codes computes what its codes stand for") {
  const Codes codes;
  const Network network = codes.load(kFour, kLayer, "uint8", "x.npy");
  // The sum 1 * 4 + 3 * 3 - 3 * 2 - 1 * 1 + 10 is 16; 2 + 48 / 2 exceeds 4 bits, and a third of it does not.
  CHECK(network.layers[0].out_format == NumberFormat::codes(4, true, 2));
  CHECK(run_reference(network, kWide)[0].out.at(0) == 15);
  Network smaller = network;
  smaller.layers[0].scales().scale = {1};
  CHECK(run_reference(smaller, kWide)[0].out.at(0) == 10);
}

TEST_CASE("the machine says how codes are summed and must be of their method and widths") {
  const Codes codes;
  Network network = codes.load(kFour, kLayer, "uint8", "x.npy");
  const arith::QuantisationMethods methods;
  const arith::QuantisationMethod* vecq = methods.find("vecq");
  quantise(network, {vecq, 2, 4, arith::Grain::fine, kWide}, {});
  CHECK(network.layers[0].parameters().float_sums);
  CHECK(network.layers[0].parameters().float_sums->scale == 1.5f);
  CHECK(run_reference(network, kWide)[0].out.at(0) == 15);
  for (const auto& [weight_bits, activation_bits] : {std::pair{3, 4}, std::pair{2, 8}})
    CHECK_THAT(test::message_of([&, w = weight_bits, a = activation_bits] {
                 quantise(network, {vecq, w, a, arith::Grain::coarse, kWide}, {});
               }),
               Catch::Contains("n.yaml: quantised by 'vecq' to weight_bits 2, activation_bits 4; "));
  CHECK_THAT(test::message_of([&] { require_int8(network); }),
             Catch::Contains("f: this accelerator computes int8, not codes of 'vecq' with weight_bits 2"));
}

TEST_CASE("codes without a file's input draw one of their width") {
  const Codes codes;
  const Network network = codes.load(kFour, kLayer);
  for (std::size_t i = 0; i < 4; ++i) CHECK((network.input.at(i) >= 0 && network.input.at(i) < 16));
}

TEST_CASE("what is wrong with a network of codes is said at its key") {
  const Codes codes;
  CHECK(codes.message(kFour, kLayer).empty());
  CHECK(codes.message("method: veqc, weight_bits: 2, activation_bits: 4", kLayer) ==
        "3:21: quantised: quantisation 'veqc' unknown; did you mean 'vecq'?");
  CHECK(codes.message("method: vecq, weight_bits: 9, activation_bits: 4", kLayer) ==
        "3:40: quantised: weight_bits 9 is out of range; allowed: an integer 1..8");
  CHECK(codes.message("method: vecq, weight_bits: 1, activation_bits: 4", kLayer) ==
        "6:42: f: weights: w.npy: code 2 is out of range; allowed: 0..1");
  CHECK(codes.message(kFour, "name: f, type: fc, units: 1, weights: w.npy, bias: b.npy") ==
        "6:3: f: key 'quant' is missing");
  CHECK(codes.message(kFour, "name: f, type: fc, units: 1, weights: w.npy, quant: {scale: 1, shift: 1}") ==
        "6:3: f: key 'bias' is missing");
  CHECK(codes.message(kFour, "name: f, type: fc, units: 1, weights: w.npy, bias: b.npy, quant: {type: uint8}") ==
        "6:69: f: quant: key 'scale' is missing");
  CHECK(codes.message(kFour, kLayer + ", codebook: b.npy") == "6:129: f: codebook: 'vecq' has none");
  CHECK(codes.message("method: kmeans, weight_bits: 2, activation_bits: 4", kLayer) ==
        "6:3: f: codebook: 'kmeans' needs one");
  CHECK(codes.message("method: vecq, weight_bits: 2, activation_bits: 12", kLayer, "uint16") ==
        "6:111: f: quant: type 'uint8' unknown; did you mean 'uint16'?");
  CHECK(codes.message("method: vecq, weight_bits: 2, activation_bits: 1", kLayer, "int8") ==
        "4:33: input: type int8: a value of one bit is unsigned");
  base::write_npy(codes / "k.npy", {4}, std::vector<float>{0, 1, 2, std::numeric_limits<float>::infinity()});
  CHECK_THAT(codes.message("method: kmeans, weight_bits: 2, activation_bits: 4", kLayer + ", codebook: k.npy"),
             Catch::EndsWith("k.npy: value 3 is inf; expected finite numbers"));
}

}  // namespace fansim::codes_test
