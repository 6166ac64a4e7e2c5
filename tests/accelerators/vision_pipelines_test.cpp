// SPDX-License-Identifier: Apache-2.0
// These tests compare pipelines on the vision accelerator with the functions' definitions.
#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "random/random_case.h"
#include "runs/run.h"

namespace fansim::vision_pipelines_test {

namespace {

const std::string kSource = FANSIM_SOURCE_DIR;

runs::Request request(const std::string& pipeline) {
  runs::Request request;
  request.config = kSource + "/configs/systems/vision_zcu102.yaml";
  request.network = pipeline;
  request.verify = true;
  return request;
}

}  // namespace

TEST_CASE("random pipelines on random vision machines are what their functions' definitions say") {
  const std::string file = fmt::format("/tmp/fansim_pipeline.{}.yaml", getpid());
  int stages = 0;
  for (std::uint64_t seed = 1; seed <= 160; ++seed) {
    const test::Case c = test::random_vision_case(seed);
    std::ofstream(file) << c.network();
    runs::Request asked = request(file);
    asked.config = kSource + "/" + c.base;
    asked.overrides = c.settings;
    INFO(c.replay(file));
    try {
      const runs::Run run = runs::run(asked);
      if (run.unschedulable) continue;
      for (const std::string& difference : run.differences) FAIL_CHECK(fmt::format("seed {}: {}", seed, difference));
      stages += static_cast<int>(run.layers.size());
    } catch (const base::UserError&) {  // a random pipeline may be none
    }
  }
  CHECK(stages >= 100);
  unlink(file.c_str());
}

TEST_CASE("a stage that works on one image streams behind the one before and memory holds the last result alone") {
  const runs::Run run = runs::run(request(kSource + "/models/pipelines/edge.yaml"));
  CHECK(run.differences.empty());
  const contract::LayerResult& median = run.layer("median");
  CHECK(median.own.at("units") == 2);
  CHECK(median.bytes_read == 640 * 480);
  CHECK(median.bytes_written == 640 * 480);
  CHECK(run.layer("edges").cycles == 0);
}

TEST_CASE("an image wider than a line memory goes in stripes to the same bytes") {
  runs::Request whole = request(kSource + "/models/pipelines/edge.yaml");
  const std::string bytes = runs::run(whole).layer("edges").output_hash;
  whole.overrides = {"pixels.line_samples=200"};
  const runs::Run striped = runs::run(whole);
  CHECK(striped.differences.empty());
  CHECK(striped.layer("edges").output_hash == bytes);
  // Four stripes of 112 and one of what is left, each with its neighbours' columns.
  CHECK(striped.layer("median").bytes_read > 640 * 480);
}

}  // namespace fansim::vision_pipelines_test
