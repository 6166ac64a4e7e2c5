// SPDX-License-Identifier: Apache-2.0
#include "training/formats/format_search.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "training/formats/format_report.h"

namespace fansim::format_search_test {

using namespace training::formats;

namespace {

const std::string kSource = FANSIM_SOURCE_DIR;
const std::string kNetwork = kSource + "/models/digits.yaml";

const training::DataSet& data() {
  static const training::DataSet drawn = training::drawn_digits(3, 120, 60);
  return drawn;
}

FormatSpace small_space(double target, int least, int most) {
  FormatSpace space = load_format_space(kSource + "/configs/spaces/trainer_formats.yaml");
  space.target_percent = target;
  space.least_bits = least;
  space.most_bits = most;
  space.first_exponent = 7;
  space.images = 120;
  space.test = 60;
  return space;
}

struct Folder : base::TemporaryFolder {
  std::string message(const std::string& formats) const {
    const std::string file = path() + "/s.yaml";
    base::write_file(
        file, "version: 1\nname: s\nconfig: " + kSource + "/configs/systems/float_trainer.yaml\nformats:\n" + formats);
    try {
      load_format_space(file);
    } catch (const base::UserError& error) {
      return std::string(error.what()).substr(file.size() + 1);
    }
    return "";
  }
};

}  // namespace

TEST_CASE("a combination sets every word of its layers and accumulators that are no narrower") {
  const FormatSpace space = small_space(50, 16, 32);
  Combination combination(space.layers.size(), Format{8, 7});
  combination[0] = {8, 20};
  const std::vector<std::string> set = space.overrides(combination);
  const auto has = [&](const char* one) { return std::find(set.begin(), set.end(), one) != set.end(); };
  CHECK(has("convolution.forward_mantissa=20"));
  CHECK(has("convolution.sum_mantissa=20"));
  CHECK(has("fc1.backward_mantissa=7"));
  CHECK(has("fc1.sum_mantissa=15"));
  CHECK(has("pooling.exponent=8"));
  CHECK(set.size() == 2 * (4 + 1 + 4 + 4 + 1));
  CHECK(space.text(combination) == "convolution 8.20; pooling, fc1, fc2, softmax 8.7");
  CHECK(space.text(Combination(5, Format{8, 7})) == "8.7");
}

TEST_CASE("the exponent rises while accuracy does and then each layer alone is widened until it meets the target") {
  FormatOptions options;
  options.network = kNetwork;
  const FormatSpace space = small_space(101, 16, 17);  // which nothing meets
  const FormatResult result = search_formats(space, data(), options);
  CHECK(!result.best);
  std::vector<double> rising;
  int widened = 0;
  for (const Trial& trial : result.trials) {
    CHECK(!trial.meets);
    if (trial.bits != 16) continue;
    if (trial.widened) {
      ++widened;
      CHECK(trial.combination[*trial.widened].bits() == 17);
    } else {
      rising.push_back(trial.score.accuracy_percent);
      CHECK(trial.combination[0].exponent == 6 + static_cast<int>(rising.size()));
    }
  }
  CHECK(widened == 5);  // once each, for the widest has 17 bits
  REQUIRE(rising.size() >= 2);
  for (std::size_t i = 1; i + 1 < rising.size(); ++i) CHECK(rising[i] > rising[i - 1]);
  CHECK_THAT(text(space, result), Catch::Contains("no combination meets 101 %"));
}

TEST_CASE("a combination whose clock is too fast meets no target") {
  FormatOptions options;
  options.network = kNetwork;
  const FormatSpace space = small_space(1, 16, 16);
  REQUIRE(search_formats(space, data(), options).best);
  options.meets_clock = [](const std::vector<std::string>& overrides) {
    return std::find(overrides.begin(), overrides.end(), "pooling.mantissa=8") == overrides.end();
  };
  const FormatResult result = search_formats(space, data(), options);
  CHECK(result.trials.front().combination[1].mantissa == 8);
  CHECK_FALSE(result.trials.front().meets);
  CHECK(result.best != std::optional<std::size_t>(0));
}

TEST_CASE("what meets the target at least power is picked and a store gives the same without training") {
  const Folder folder;
  const FormatSpace space = small_space(12, 16, 18);
  FormatOptions options;
  options.network = kNetwork;
  const FormatResult first = search_formats(space, data(), options);
  REQUIRE(first.best);
  for (const Trial& trial : first.trials)
    if (trial.meets) CHECK(first.trials[*first.best].score.power_w <= trial.score.power_w);

  const explore::Identity identity{{"test", "formats"}};
  for (const int round : {0, 1}) {
    explore::Store store(folder.path() + "/store.db", identity);
    options.store = &store;
    options.jobs = 2;
    const FormatResult other = search_formats(space, data(), options);
    CHECK(other.trained == (round == 0 ? first.trained : 0));
    CHECK(json(space, other, "", "").substr(json(space, other, "", "").find("\"configured\"")) ==
          json(space, first, "", "").substr(json(space, first, "", "").find("\"configured\"")));
  }
}

TEST_CASE("a space of formats is refused with its place") {
  const Folder folder;
  const std::string layers = "  layers: [{name: a, words: [pooling]}]\n";
  CHECK(folder.message(layers) == "");
  CHECK(folder.message("  least_bits: 20\n  most_bits: 16\n" + layers) ==
        "6:14: formats: most_bits 16 is out of range; allowed: an integer 20..32");
  CHECK(folder.message("  first_exponent: 12\n" + layers) ==
        "5:19: formats: first_exponent 12 is out of range; allowed: an integer 2..8");
  CHECK(folder.message("  layers: [{name: a}]\n").find("key 'words' is missing") != std::string::npos);
  CHECK(folder.message("  layers: []\n").find("layers: expected a list") != std::string::npos);
  CHECK(folder.message("  leat_bits: 16\n" + layers).find("did you mean 'least_bits'?") != std::string::npos);
}

}  // namespace fansim::format_search_test
