// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/npy.h"
#include "program.h"

namespace fansim::multiplier_test {

using test::run_program;

namespace {

nlohmann::json run(const std::vector<std::string>& settings) {
  const test::ScratchDirectory folder;
  std::vector<std::string> arguments{"run",
                                     "configs/systems/lut_kernel.yaml",
                                     "models/tiny_conv.yaml",
                                     "--verify",
                                     "--cross-check",
                                     "--json",
                                     folder / "r.json"};
  for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
  for (std::string& argument : arguments)
    if (argument.rfind("configs/", 0) == 0 || argument.rfind("models/", 0) == 0)
      argument = std::string(FANSIM_SOURCE_DIR) + "/" + argument;
  const test::Outcome outcome = run_program(arguments);
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return nlohmann::json::parse(base::read_file(folder / "r.json"));
}

std::vector<std::string> hashes(const nlohmann::json& run) {
  std::vector<std::string> all;
  for (const auto& layer : run["layers"]) all.push_back(layer.value("output_hash", ""));
  return all;
}

}  // namespace

TEST_CASE("every multiplier gives the same bytes while DSP slices and LUTs and reload stalls differ as they must") {
  const nlohmann::json kernels = run({}), blind_kernels = run({"array.shadow_luts=false"}),
                       tables = run({"array.multiplier=lut_reconfigurable"}),
                       blind = run({"array.multiplier=lut_reconfigurable", "array.shadow_luts=false"}),
                       lut = run({"array.multiplier=lut"}), plain = run({"array.multiplier=dsp48e2"}),
                       pairs = run({"array.multiplier=dsp48e2_dual_int8"}),
                       chains = run({"array.multiplier=dsp48e2_int8_chain"}),
                       windows = run({"array.multiplier=dsp48e2_int8_chain", "array.shared=weight"});
  for (const nlohmann::json* other : {&blind, &lut, &plain, &pairs, &chains, &windows, &kernels, &blind_kernels})
    CHECK(hashes(*other) == hashes(tables));

  for (const nlohmann::json* soft : {&tables, &blind, &lut, &kernels, &blind_kernels})
    CHECK((*soft)["resources"]["dsp"] == 0);
  CHECK(plain["resources"]["dsp"].get<int>() - pairs["resources"]["dsp"].get<int>() == 288);
  // A tap row has 24 products and four pairs of channels: three chains of 7 and one of 3, each with one slice more.
  for (const nlohmann::json* chained : {&chains, &windows})
    CHECK((*chained)["resources"]["dsp"].get<int>() - pairs["resources"]["dsp"].get<int>() == 3 * 4 * 4);
  // A shadow takes a CFGLUT5 and a LUT6_2 more for each of 12 pairs of bits.
  CHECK(tables["resources"]["lut"].get<int>() - blind["resources"]["lut"].get<int>() == 576 * 12 * 2);
  CHECK(kernels["resources"]["lut"].get<int>() - blind_kernels["resources"]["lut"].get<int>() == 576 * 12 * 2);
  // The pipe has one stage less for the product, and the tree one register more.
  CHECK(kernels["total"]["cycles"] == tables["total"]["cycles"]);
  CHECK(blind_kernels["total"]["cycles"] == blind["total"]["cycles"]);

  const auto waits = [](const nlohmann::json& run) { return run["total"]["buckets"]["wait_weights"].get<int>(); };
  CHECK(waits(lut) == waits(plain));
  CHECK(waits(tables) > waits(lut));
  CHECK(waits(blind) > waits(tables));
  CHECK(blind["total"]["cycles"] > tables["total"]["cycles"]);
}

TEST_CASE("chains that could not sum what a layer multiplies are refused with the rule they break") {
  const std::string root = FANSIM_SOURCE_DIR;
  const auto outcome = [&](const char* command, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{command, root + "/configs/systems/tiny_stream.yaml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  };
  const std::string chain = "array.multiplier=dsp48e2_int8_chain";
  const test::Outcome uint8 = outcome("run", {root + "/models/tiny_uint8.yaml", "--set", chain});
  CHECK(uint8.code == 3);
  CHECK_THAT(uint8.err,
             Catch::Contains("array.terms 7: 7 products of an int8 weight and a uint8 activation do not fit"));
  CHECK(outcome("run", {root + "/models/tiny_uint8.yaml", "--set", chain, "--set", "array.terms=4"}).code == 0);
  const test::Outcome nine = outcome("estimate", {"--set", chain, "--set", "array.terms=9"});
  CHECK(nine.code == 2);
  CHECK_THAT(nine.err, Catch::Contains("array.terms") && Catch::Contains("2..8"));
  const test::Outcome no_chain = outcome("estimate", {"--set", "array.shared=weight"});
  CHECK(no_chain.code == 2);
  CHECK_THAT(no_chain.err, Catch::Contains("only 'multiplier: dsp48e2_int8_chain' has chains"));
  const test::Outcome word = outcome("estimate", {"--set", chain, "--set", "array.shared=weights"});
  CHECK(word.code == 2);
  CHECK_THAT(word.err, Catch::Contains("did you mean 'weight'"));
}

TEST_CASE("chains of eight terms sum what no weight of -128 multiplies and are refused where one does") {
  const std::string root = FANSIM_SOURCE_DIR;
  const test::ScratchDirectory folder;
  const std::string network = folder / "net.yaml";
  base::write_file(network,
                   "version: 1\nname: net\ninput: {shape: [4, 6, 6], type: int8}\nlayers:\n"
                   "  - {name: conv, type: conv, filters: 4, kernel: 3, weights: weights.npy}\n");
  const auto outcome = [&](std::int8_t lowest, std::vector<std::string> arguments) {
    std::vector<std::int8_t> weights(4 * 4 * 9, -127);
    weights[100] = lowest;
    base::write_npy(folder / "weights.npy", {4, 4, 3, 3}, weights);
    arguments.insert(arguments.begin() + 2, network);
    return run_program(arguments);
  };
  const std::string tiled = root + "/configs/systems/faq_zcu102_dorefa8_dsp.yaml",
                    stream = root + "/configs/systems/tiny_stream.yaml";
  for (const char* shared : {"activation", "weight"}) {
    std::vector<std::string> arguments{"run", stream};
    for (const std::string& set : {std::string("array.multiplier=dsp48e2_int8_chain"), std::string("array.terms=8"),
                                   std::string("array.shared=") + shared})
      arguments.insert(arguments.end(), {"--set", set});
    for (const char* mode : {"--cross-check", "--timing-only"}) {
      std::vector<std::string> with_mode = arguments;
      with_mode.emplace_back(mode);
      CAPTURE(shared, mode);
      CHECK(outcome(-127, with_mode).code == 0);
      const test::Outcome refused = outcome(-128, with_mode);
      CHECK(refused.code == 3);
      CHECK_THAT(refused.err,
                 Catch::Contains("array.terms 8: 8 products of an int8 weight and an int8 activation do not "
                                 "fit the 18 bits of a chain's lower sum; 7 do, and 8 if no weight is -128"));
    }
  }
  const std::vector<std::string> chain{"run",   tiled,          "--set",   "conv.macs=int8_chain",
                                       "--set", "conv.terms=8", "--verify"};
  CHECK(outcome(-127, chain).code == 0);
  const test::Outcome refused = outcome(-128, chain);
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, Catch::Contains("conv.terms 8: 8 products") && Catch::Contains("8 if no weight is -128"));
}

TEST_CASE("shadow tables without tables are refused") {
  const test::Outcome outcome =
      run_program({"estimate", std::string(FANSIM_SOURCE_DIR) + "/configs/systems/zcu102_stream.yaml", "--set",
                   "array.shadow_luts=false"});
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains("only 'multiplier: lut_reconfigurable' and 'lut_kernel' have tables"));
}

TEST_CASE("kernels that round give the reference executor's bytes and err less than a unit") {
  const std::string root = FANSIM_SOURCE_DIR;
  struct Case {
    const char* network;
    std::vector<std::string> settings;
    const char* layers = "";
  };
  // The kernels have 24, 8, 20 and 2 inputs. The cases have grouped channels, uint8 with a zero point, and a vector
  // from planes.
  const std::vector<Case> all{
      {"tiny_conv", {}},
      {"tiny_conv", {"array.rows=2", "array.cols=2", "array.input_channels=4"}},
      {"tiny_grouped", {"array.rows=4", "array.cols=5", "array.input_channels=4"}},
      {"tiny_uint8", {"array.cols=1", "array.input_channels=2", "array.shadow_luts=false"}, "conv1..conv2,conv3,fc4"},
      {"lenet5", {}}};
  for (const Case& one : all) {
    std::vector<std::string> arguments{"run", root + "/configs/systems/tiny_stream.yaml",
                                       root + "/models/" + one.network + ".yaml", "--verify", "--cross-check"};
    for (const char* setting : {"array.multiplier=lut_kernel", "array.rounding=faithful"})
      arguments.insert(arguments.end(), {"--set", setting});
    for (const std::string& setting : one.settings) arguments.insert(arguments.end(), {"--set", setting});
    if (*one.layers != '\0') arguments.insert(arguments.end(), {"--layers", one.layers});
    const test::Outcome outcome = run_program(arguments);
    CAPTURE(one.network, one.settings, outcome.err);
    REQUIRE(outcome.code == 0);
    const std::size_t from = outcome.err.find("sums err by ");
    REQUIRE(from != std::string::npos);
    double most = 0, mean = 0;
    REQUIRE(std::sscanf(outcome.err.c_str() + from, "sums err by %lf units of their last place at most, %lf", &most,
                        &mean) == 2);
    CHECK(most < 1);
    CHECK(most > 0.25);
    CHECK(mean < most);
    CHECK(mean > 0);
  }
}

TEST_CASE("rounding is refused where nothing rounds or a layer's sums must be exact") {
  const std::string root = FANSIM_SOURCE_DIR;
  const test::Outcome products =
      run_program({"estimate", root + "/configs/systems/tiny_stream.yaml", "--set", "array.rounding=faithful"});
  CHECK(products.code == 2);
  CHECK_THAT(products.err, Catch::Contains("only 'multiplier: lut_kernel' sums in kernels that round"));
  const test::Outcome word =
      run_program({"estimate", root + "/configs/systems/lut_kernel.yaml", "--set", "array.rounding=faithfull"});
  CHECK(word.code == 2);
  CHECK_THAT(word.err, Catch::Contains("did you mean 'faithful'"));
  for (const char* network : {"tiny_lstm", "tiny_residual"}) {
    const test::Outcome outcome =
        run_program({"run", root + "/configs/systems/tiny_stream.yaml", root + "/models/" + network + ".yaml", "--set",
                     "array.multiplier=lut_kernel", "--set", "array.rounding=faithful"});
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, Catch::Contains("layers need exact sums"));
  }
}

TEST_CASE("values of 12 and 16 bits give the reference executor's bytes in both engines") {
  const std::string root = FANSIM_SOURCE_DIR;
  struct Case {
    const char* network;
    std::vector<std::string> settings;
    const char* layers = "";
  };
  // The cases are signed and unsigned, with zero points; they have words of 2 to 16 bytes, groups, poolings fused and
  // by themselves, additions, and coefficients wider and narrower than operands.
  const std::vector<Case> all{
      {"lenet5", {"array.multiplier=dsp48e2", "array.operand_bits=16"}},
      {"lenet5", {"array.multiplier=lut_kernel", "array.operand_bits=16"}},
      {"lenet5", {"array.multiplier=lut_kernel", "array.operand_bits=12", "array.shadow_luts=false"}},
      {"tiny_uint8", {"array.multiplier=dsp48e2", "array.operand_bits=16", "array.input_channels=4"}},
      {"tiny_uint8", {"array.multiplier=dsp48e2", "array.operand_bits=12", "array.input_channels=1"}},
      {"tiny_residual", {"array.multiplier=dsp48e2", "array.operand_bits=16"}},
      {"tiny_grouped",
       {"array.multiplier=lut_kernel", "array.operand_bits=8", "array.coefficient_bits=12", "array.input_channels=2"}},
      {"tiny_uint8",
       {"array.multiplier=lut_kernel", "array.operand_bits=12", "array.coefficient_bits=8", "array.cols=2"}},
      {"tiny_conv",
       {"array.multiplier=lut_kernel", "array.operand_bits=16", "array.rounding=faithful", "array.rows=1"}},
      {"tiny_uint8",
       {"array.multiplier=lut_kernel", "array.operand_bits=12", "array.coefficient_bits=16", "array.rounding=faithful"},
       "conv1..conv2,conv3,fc4"}};
  for (const Case& one : all) {
    std::vector<std::string> arguments{"run", root + "/configs/systems/tiny_stream.yaml",
                                       root + "/models/" + one.network + ".yaml", "--verify", "--cross-check"};
    for (const char* setting : {"quantiser.accumulator_bits=32", "quantiser.operand_bits=32"})
      arguments.insert(arguments.end(), {"--set", setting});
    for (const std::string& setting : one.settings) arguments.insert(arguments.end(), {"--set", setting});
    if (*one.layers != '\0') arguments.insert(arguments.end(), {"--layers", one.layers});
    const test::Outcome outcome = run_program(arguments);
    CAPTURE(one.network, one.settings, outcome.err);
    REQUIRE(outcome.code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("verified"));
    CHECK_THAT(outcome.err, Catch::Contains("both engines agree in every cycle count, counter and byte"));
  }
}

TEST_CASE("layers of 16 bits are dumped as int16 and move twice the bytes") {
  const test::ScratchDirectory folder;
  const std::string root = FANSIM_SOURCE_DIR;
  const auto run = [&](const char* bits) {
    const test::Outcome outcome =
        run_program({"run", root + "/configs/systems/zcu102_stream.yaml", root + "/models/hand_window.yaml", "--set",
                     "array.multiplier=dsp48e2", "--set", std::string("array.operand_bits=") + bits, "--dump",
                     folder / (std::string("d") + bits), "--json", folder / (std::string(bits) + ".json"), "--verify"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    return nlohmann::json::parse(base::read_file(folder / (std::string(bits) + ".json")));
  };
  const nlohmann::json narrow = run("8"), wide = run("16");
  const auto bytes = [](const nlohmann::json& of, const char* key) { return of["total"][key].get<int>(); };
  CHECK(bytes(narrow, "bytes_read") == 72 + 32 + 576);
  CHECK(bytes(wide, "bytes_read") == 2 * 72 + 32 + 2 * 576);
  CHECK(bytes(narrow, "bytes_written") == 8);
  CHECK(bytes(wide, "bytes_written") == 16);
  CHECK_THAT(base::read_file(folder / "d8/conv.npy"), Catch::Contains("'|i1'"));
  CHECK_THAT(base::read_file(folder / "d16/conv.npy"), Catch::Contains("'<i2'"));
}

TEST_CASE("widths that a multiplier or a word or a layer does not have are refused with the rule they break") {
  const std::string root = FANSIM_SOURCE_DIR;
  const auto outcome = [&](const std::vector<std::string>& settings, const char* network = nullptr) {
    std::vector<std::string> arguments{network ? "run" : "estimate", root + "/configs/systems/tiny_stream.yaml"};
    if (network) arguments.push_back(root + "/models/" + network + ".yaml");
    for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
    return run_program(arguments);
  };
  const auto refused = [&](const std::vector<std::string>& settings, const char* why) {
    const test::Outcome is = outcome(settings);
    CAPTURE(settings);
    CHECK(is.code == 2);
    CHECK_THAT(is.err, Catch::Contains(why));
  };
  for (const char* multiplier : {"dsp48e2_dual_int8", "dsp48e2_int8_chain", "lut", "lut_reconfigurable"})
    refused({std::string("array.multiplier=") + multiplier, "array.operand_bits=16"}, "one of 8 bits; allowed: ");
  refused({"array.multiplier=dsp48e2", "array.operand_bits=10"}, "allowed: 8, 12 or 16");
  refused({"array.multiplier=dsp48e2", "array.operand_bits=24"}, "operand_bits");
  refused({"array.multiplier=lut_kernel", "array.coefficient_bits=4"}, "allowed: 8, 12 or 16");
  refused({"array.multiplier=dsp48e2", "array.coefficient_bits=16"}, "only 'multiplier: lut_kernel' has coefficients");
  refused({"array.multiplier=dsp48e2", "array.operand_bits=12", "array.input_channels=16", "array.output_channels=16"},
          "make a word of 32 bytes; allowed: 16 at most");
  for (const char* network : {"tiny_lstm", "tiny_gru"}) {
    const test::Outcome recurrent = outcome({"array.multiplier=dsp48e2", "array.operand_bits=16"}, network);
    CHECK(recurrent.code == 3);
    CHECK_THAT(recurrent.err, Catch::Contains("layers have operands and coefficients of 8 bits, not of 16 and 16"));
  }
}

}  // namespace fansim::multiplier_test
