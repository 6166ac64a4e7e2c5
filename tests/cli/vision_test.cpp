// SPDX-License-Identifier: Apache-2.0
// These tests run pipelines of images through the real binary.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/file.h"
#include "openvx/stage.h"
#include "pictures/picture_file.h"
#include "pictures/test_card.h"
#include "program.h"

namespace fansim::vision_test {

using test::Outcome;
using test::run_program;

namespace {

const std::string kSource = FANSIM_SOURCE_DIR;
const std::string kVision = test::config("vision_zcu102");

struct Pipelines : test::ScratchDirectory {
  Outcome run(const std::string& stage, const std::vector<std::string>& more = {},
              const std::string& size = "64") const {
    base::write_file(*this / "p.yaml", "version: 1\nname: p\ninput: {width: " + size +
                                           ", height: 20}\nstages:\n  - {name: s, function: " + stage + "}\n");
    std::vector<std::string> arguments{"run", kVision, *this / "p.yaml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
};

}  // namespace

TEST_CASE("the shipped pipelines are verified and both engines agree") {
  for (const char* name : {"edge", "gradient", "difference", "filters", "motion"}) {
    INFO(name);
    const Outcome outcome = run_program({"run", kVision, fmt::format("{}/models/pipelines/{}.yaml", kSource, name),
                                         "--verify", "--cross-check", "--set", "filter.kernel=7"});
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, Catch::Contains("verified"));
    CHECK_THAT(outcome.out + outcome.err, Catch::Contains("both engines agree"));
  }
}

namespace {

// Returns the files that a page embeds (RFC 4648).
std::vector<std::string> embedded(const std::string& page) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", mark = ";base64,";
  std::vector<std::string> files;
  for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1)) {
    std::string& file = files.emplace_back();
    unsigned bits = 0;
    int count = 0;
    for (std::size_t i = at + mark.size(); digits.find(page[i]) != std::string::npos; ++i) {
      bits = bits << 6 | static_cast<unsigned>(digits.find(page[i]));
      count += 6;
      if (count >= 8) {
        count -= 8;
        file += static_cast<char>(bits >> count & 0xff);
      }
    }
  }
  return files;
}

}  // namespace

TEST_CASE("a page shows the input and every output beside it and what the terminal does") {
  const Pipelines pipelines;
  const Outcome outcome =
      pipelines.run("median3x3", {"--out", pipelines / "o.png", "--html", pipelines / "p.html"}, "61");
  REQUIRE(outcome.code == 0);
  const std::string page = base::read_file(pipelines / "p.html");
  const std::vector<std::string> files = embedded(page);
  REQUIRE(files.size() == 2);
  CHECK(files[1] == base::read_file(pipelines / "o.png"));
  base::write_file(pipelines / "i.png", files[0]);
  CHECK(pictures::read_picture(pipelines / "i.png").width == 61);
  CHECK_THAT(page, Catch::Contains(outcome.first_line()) && Catch::Contains("<figcaption>input</figcaption>") &&
                       Catch::Contains("<figcaption>s</figcaption>") && Catch::Contains("</html>"));
  const Outcome none = run_program(
      {"run", test::config("tiny_stream"), test::model("tiny_conv"), "--timing-only", "--html", pipelines / "q.html"});
  CHECK(none.code == 0);
  CHECK(embedded(base::read_file(pipelines / "q.html")).empty());
}

TEST_CASE("a separable filter is the product of its column and row") {
  const Pipelines p;
  const auto filtered = [&](const std::string& coefficients) {
    const std::string out = p / "out.pgm";
    const Outcome outcome = p.run("convolution, scale: 4, " + coefficients, {"--verify", "--out", out});
    INFO(outcome.err);
    CHECK(outcome.code == 0);
    return base::read_file(out);
  };
  CHECK(filtered("row: [-1, 0, 2], column: [1, 3, 1]") ==
        filtered("coefficients: [[-1, 0, 2], [-3, 0, 6], [-1, 0, 2]]"));
}

TEST_CASE("a pipeline without an input shows the test card") {
  const Pipelines p;
  const std::string out = p / "out.pgm";
  const Outcome outcome = p.run("bitwise_not", {"--out", out, "--seed", "5"});
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  pictures::Picture card = pictures::test_card(64, 20, 1, 8, 5);
  for (std::uint16_t& sample : card.samples) sample = static_cast<std::uint16_t>(255 - sample);
  CHECK(pictures::read_picture(out) == card);
}

TEST_CASE("a second picture comes from a file of the pipeline's or is a test card of its own") {
  const Pipelines p;
  pictures::Picture a = pictures::test_card(16, 8, 1, 8, 1), b = a;
  for (std::uint16_t& sample : b.samples) sample = static_cast<std::uint16_t>(sample / 2);
  pictures::write_picture(p / "a.pgm", a);
  pictures::write_picture(p / "b.png", b);
  const auto run = [&](const std::string& keys, int code) {
    base::write_file(p / "q.yaml",
                     "version: 1\nname: q\ninput: {width: 16, height: 8}\nstages:\n  - {name: b, function: picture, " +
                         keys + "}\n  - {name: d, function: absdiff, input_from: input, with: b}\n");
    const Outcome outcome = run_program(
        {"run", kVision, p / "q.yaml", "--input", p / "a.pgm", "--verify", "--cross-check", "--out", p / "d.pgm"});
    INFO(outcome.err);
    CHECK(outcome.code == code);
    return outcome.err;
  };
  run("width: 16, height: 8, file: b.png", 0);
  const pictures::Picture difference = pictures::read_picture(p / "d.pgm");
  for (std::size_t i = 0; i < a.samples.size(); ++i) CHECK(difference.samples[i] == a.samples[i] - b.samples[i]);
  run("width: 16, height: 8", 0);
  CHECK(pictures::read_picture(p / "d.pgm").samples != difference.samples);
  CHECK_THAT(run("width: 15, height: 8, file: b.png", 2),
             Catch::Contains("q.yaml:5:") && Catch::Contains("found 16 x 8"));
  CHECK_THAT(run("width: 16, height: 8, file: none.png", 2), Catch::Contains("none.png"));
  CHECK_THAT(run("width: 16, height: 8, channels: 2", 2), Catch::Contains("1 or 3 channels"));
  CHECK_THAT(run("width: 15, height: 8", 2), Catch::Contains("takes two images of one size"));
}

TEST_CASE("what is wrong with a pipeline is told at its key with the nearest word") {
  const Pipelines p;
  const auto refused = [&](const std::string& stage, const char* message, const std::string& size = "64") {
    const Outcome outcome = p.run(stage, {}, size);
    INFO(stage);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Catch::Contains(message));
    CHECK_THAT(outcome.err, Catch::Contains("p.yaml:"));
  };
  refused("medain3x3", "did you mean 'median3x3'?");
  refused("convolution, coefficients: [[1, 2], [3, 4]]", "expected 3, 5 or 7 rows, found 2");
  refused("convolution, coefficients: [[1, 2, 3], [4, 5], [6, 7, 8]]", "expected a row of 3 integers");
  refused("convolution, coefficients: [[1, 2, 300], [4, 5, 6], [7, 8, 9]]", "allowed: an integer -128..127");
  refused("convolution, row: [1, 2, 1]", "a separable filter has a 'row' and a 'column'");
  refused("convolution, row: [1, 2, 1], column: [1, 2, 1, 0, 1]",
          "column: expected 3 coefficients as the row has, found 5");
  refused("convolution, row: [1, 64, 1], column: [1, 2, 1]", "column: 2 x 64 is out of range; allowed: -128..127");
  refused("convolution, row: [1, 2], column: [1, 2]", "row: expected 3, 5 or 7 coefficients, found 2");
  refused("convolution, row: [1, 2, 1], column: [1, 2, 1], preset: laplacian", "row: the preset has the coefficients");
  refused("convolution, preset: laplacien", "did you mean 'laplacian'?");
  refused("convolution, preset: laplacian, scale: 3", "scale 3 is no power of two");
  refused("median3x3, border: replicated", "did you mean 'replicate'?");
  refused("median3x3, border_value: 3", "only 'border: constant' has one");
  refused("median3x3, border: valid", "no window of 3 x 3 lies within an image of 2 x 20", "2");
  refused("threshold, lower: 9, upper: 3", "upper 3 is below lower 9");
  refused("absdiff", "key 'with' is missing");
  refused("magnitude", "magnitude takes gradients");
  refused("channel_extract, channel: 1", "channel 1 of an image of 1");
  refused("accumulate, with: input", "an accumulator of int16");
  refused("bitwise_not, colour: 3", "key 'colour' unknown");
  refused("bitwise_not", "width 0 is out of range", "0");
}

TEST_CASE("a stage that the machine's units do not hold does not fit") {
  const Pipelines p;
  const auto misfit = [&](const std::string& stage, const std::vector<std::string>& settings, const char* message) {
    const Outcome outcome = p.run(stage, settings);
    INFO(stage);
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, Catch::Contains(message));
  };
  misfit("median5x5", {}, "a window of 5 x 5, the unit's is 3 x 3");
  misfit("sobel3x3", {"--set", "filter.banks=1"}, "2 filters of one window, the engine has 1");
  misfit("box3x3", {"--set", "filter.scaler=shift"}, "divides by powers of two");
  misfit("convolution, coefficients: [[127, 127, 127], [127, 127, 127], [127, 127, 127]]",
         {"--set", "filter.rebase=false"}, "1023 fit");
  misfit("multiply, with: input", {"--set", "simd.multipliers=false"}, "simd.multipliers is false");
  const Outcome stream = run_program({"run", test::config("tiny_stream"), p / "p.yaml"});
  CHECK(stream.code == 3);
  CHECK_THAT(stream.err, Catch::Contains("runs networks, not pipelines of images"));
  const Outcome network = run_program({"run", kVision, test::model("lenet5")});
  CHECK(network.code == 3);
  CHECK_THAT(network.err, Catch::Contains("runs pipelines of images, not networks"));
}

TEST_CASE("list vision has every function and what a unit's way and slices are") {
  const Outcome outcome = run_program({"list", "vision"});
  CHECK(outcome.code == 0);
  for (const openvx::Facts& facts : openvx::functions()) CHECK_THAT(outcome.out, Catch::Contains(facts.name));
  const auto row = [&outcome](const std::string& name) {
    const std::size_t at = outcome.out.find("\n" + name + " ") + 1;
    return outcome.out.substr(at, outcome.out.find('\n', at) - at);
  };
  // docs/vision.md counts by hand 22 cycles, nine products and two re-base slices for each of two pairs of samples, and
  // a multiplier for each of four samples' division.
  CHECK_THAT(row("box3x3"), Catch::Matches(".*packed INT8 +22 +26 +4"));
  CHECK_THAT(row("sobel3x3"), Catch::Matches(".*packed INT8 +22 +52 +4"));
  // The median takes nineteen exchanges, with four samples per slice; the largest of nine values takes eight.
  CHECK_THAT(row("median3x3"), Catch::Matches(".*SIMD +[0-9]+ +19 +4"));
  CHECK_THAT(row("dilate3x3"), Catch::Matches(".*SIMD +[0-9]+ +8 +4"));
  CHECK_THAT(row("absdiff"), Catch::Matches(".*SIMD +7 +4 +4"));
  CHECK_THAT(row("magnitude"), Catch::Contains("host"));
  CHECK_THAT(outcome.out, Catch::Contains("vxOpticalFlowPyrLK"));
  CHECK_THAT(outcome.out, Catch::Contains("needs median.kernel of 5"));
  CHECK_THAT(run_program({"list", "visoin"}).err, Catch::Contains("did you mean 'vision'?"));
}

}  // namespace fansim::vision_test
