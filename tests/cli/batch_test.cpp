// SPDX-License-Identifier: Apache-2.0
// These tests run many inputs through the real binary.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/npy.h"
#include "base/random.h"
#include "program.h"

namespace fansim::batch_test {

using test::Outcome;
using test::run_program;

namespace {

constexpr int kCount = 5;
constexpr int kPixels = 28 * 28;

struct Inputs : test::ScratchDirectory {
  std::vector<std::int8_t> all;

  Inputs() {
    base::Random random(11, "batch");
    for (int i = 0; i < kCount * kPixels; ++i) all.push_back(static_cast<std::int8_t>(random.uniform(-128, 127)));
    base::write_npy(*this / "x.npy", {kCount, 1, 28, 28}, all);
    for (int i = 0; i < kCount; ++i)
      base::write_npy(one(i), {1, 28, 28},
                      std::vector<std::int8_t>(all.begin() + i * kPixels, all.begin() + (i + 1) * kPixels));
  }
  std::string one(int i) const { return *this / fmt::format("x{}.npy", i); }
  Outcome run(const std::string& config, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"run", test::config(config), test::model("lenet5")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
};

}  // namespace

TEST_CASE("every input of a batch is verified and gives the bytes that it gives alone whatever the threads") {
  const Inputs inputs;
  for (const char* config : {"tiny_stream", "faq_zcu102_dorefa8", "faq_zcu102_pot", "faq_zcu102_bnn"}) {
    CAPTURE(config);
    std::string whole;
    base::NpyShape shape;
    for (const char* jobs : {"1", "3"}) {
      const Outcome batch = inputs.run(config, {"--inputs", inputs / "x.npy", "--jobs", jobs, "--verify", "--dump",
                                                inputs / "dump", "--json", inputs / "b.json"});
      INFO(batch.err);
      REQUIRE(batch.code == 0);
      CHECK_THAT(batch.out, Catch::Contains("batch of 5: "));
      const std::string file = base::read_file(inputs / "dump/fc5.npy");
      if (!whole.empty()) CHECK(file == whole);
      whole = file;
    }
    // If a network of codes is drawn, its scales follow an input that is given.
    const bool drawn_for_it = config != std::string("tiny_stream");
    const auto report = nlohmann::json::parse(base::read_file(inputs / "b.json"));
    for (int i = 0; i < kCount; ++i) {
      const Outcome alone =
          inputs.run(config, {"--input", inputs.one(i), "--dump", inputs / "alone", "--json", inputs / "a.json"});
      REQUIRE(alone.code == 0);
      const std::string file = base::read_file(inputs / "alone/fc5.npy");
      const std::size_t bytes = (whole.size() - 128) / kCount;
      REQUIRE(file.size() == 128 + bytes);
      if (!drawn_for_it) CHECK(file.substr(128) == whole.substr(128 + static_cast<std::size_t>(i) * bytes, bytes));
      const auto one = nlohmann::json::parse(base::read_file(inputs / "a.json"));
      CHECK(one["total"]["cycles"] == report["total"]["cycles"]);
    }
  }
}

TEST_CASE("labels of any integers give top-1 and top-5 and the confusion") {
  const Inputs inputs;
  REQUIRE(inputs.run("tiny_stream", {"--inputs", inputs / "x.npy", "--json", inputs / "b.json"}).code == 0);
  const auto read = nlohmann::json::parse(base::read_file(inputs / "b.json"))["batch"]["read"].get<std::vector<int>>();
  REQUIRE(read.size() == kCount);
  std::vector<std::int32_t> labels(read.begin(), read.end());
  labels[0] = (labels[0] + 1) % 10;
  base::write_npy(inputs / "y.npy", {kCount}, labels);
  const Outcome outcome = inputs.run(
      "tiny_stream", {"--inputs", inputs / "x.npy", "--labels", inputs / "y.npy", "--json", inputs / "b.json"});
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out, Catch::Contains("top-1 80.00 %"));
  const auto batch = nlohmann::json::parse(base::read_file(inputs / "b.json"))["batch"];
  CHECK(batch["count"] == kCount);
  CHECK(batch["top1_percent"] == 80);
  CHECK(batch["confusion"][static_cast<std::size_t>(labels[0])][static_cast<std::size_t>(read[0])] >= 1);
}

TEST_CASE("parts of a batch are its inputs one behind the other on every kind of machine") {
  const Inputs inputs;
  base::write_npy(inputs / "y.npy", {kCount}, std::vector<std::int32_t>{0, 1, 2, 3, 4});
  for (const char* config : {"tiny_stream", "faq_zcu102_dorefa8"}) {
    CAPTURE(config);
    const auto batch = [&](const std::vector<std::string>& more) {
      std::vector<std::string> words{"--inputs", inputs / "x.npy", "--labels", inputs / "y.npy",
                                     "--dump",   inputs / "dump",  "--json",   inputs / "b.json"};
      words.insert(words.end(), more.begin(), more.end());
      const Outcome outcome = inputs.run(config, words);
      INFO(outcome.err);
      REQUIRE(outcome.code == 0);
      return std::pair{nlohmann::json::parse(base::read_file(inputs / "b.json")),
                       base::read_file(inputs / "dump/fc5.npy").substr(128)};
    };
    const auto [whole, outputs] = batch({});
    CHECK_FALSE(whole["batch"].contains("begin"));
    std::vector<int> read, confused(100);
    std::string dumped;
    for (const char* shard : {"1/3", "2/3", "3/3"}) {
      const auto [part, output] = batch({"--shard", shard, "--jobs", "1"});
      CHECK(part["batch"]["begin"] == read.size());
      CHECK(part["total"]["cycles"] == whole["total"]["cycles"]);
      for (const auto& one : part["batch"]["read"]) read.push_back(one.get<int>());
      CHECK(part["batch"]["count"] == part["batch"]["read"].size());
      for (std::size_t i = 0; i < 100; ++i) confused[i] += part["batch"]["confusion"][i / 10][i % 10].get<int>();
      dumped += output;
    }
    CHECK(whole["batch"]["read"] == read);
    CHECK(dumped == outputs);
    for (std::size_t i = 0; i < 100; ++i) CHECK(whole["batch"]["confusion"][i / 10][i % 10] == confused[i]);
  }
}

TEST_CASE("a batch that is none is refused and so is what it does not go with") {
  const Inputs inputs;
  const auto refused = [&](const std::vector<std::string>& more, const std::string& message) {
    const Outcome outcome = inputs.run("tiny_stream", more);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Catch::Contains(message));
  };
  const std::string x = inputs / "x.npy";
  base::write_npy(inputs / "y.npy", {kCount}, std::vector<std::int32_t>{0, 1, 2, 3, 10});
  base::write_npy(inputs / "few.npy", {2}, std::vector<std::int32_t>{0, 1});
  base::write_npy(inputs / "wide.npy", {2, 1, 28, 29}, std::vector<std::int8_t>(2 * 28 * 29));
  base::write_npy(inputs / "floats.npy", {kCount}, std::vector<float>(kCount));
  refused({"--inputs", x, "--labels", inputs / "y.npy"}, "label 10 of input 4, but the output has 10 elements: 0..9");
  refused({"--inputs", x, "--labels", inputs / "few.npy"}, "2 labels for 5 inputs");
  refused({"--inputs", x, "--labels", inputs / "floats.npy"}, "expected integers, found float32");
  refused({"--inputs", x, "--shard", "1/6"}, "of 5 inputs that part has none");
  refused({"--inputs", x, "--shard", "4/3"}, "run: --shard 4/3: allowed: I/N");
  refused({"--shard", "1/3"}, "--shard needs --inputs");
  refused({"--inputs", inputs / "wide.npy"}, "expected shape (1, 28, 28), or a batch (N, 1, 28, 28)");
  refused({"--inputs", inputs / "none.npy"}, "none.npy: cannot read");
  refused({"--inputs", x, "--input", x}, "--input is of one run");
  refused({"--inputs", x, "--timing-only"}, "--timing-only is of one run");
  refused({"--labels", inputs / "y.npy"}, "--labels needs --inputs");
  refused({"--inputs", x, "--jobs", "0"}, "--jobs 0: allowed: 1..1024");
}

}  // namespace fansim::batch_test
