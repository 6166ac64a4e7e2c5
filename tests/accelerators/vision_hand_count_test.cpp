// SPDX-License-Identifier: Apache-2.0
// Two stages of docs/vision.md are counted by hand, edge by edge, on both engines.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "runs/run.h"

namespace fansim::vision_hand_count_test {

namespace {

contract::LayerResult counted(const std::string& function) {
  const std::string file = "/tmp/fansim_hand." + std::to_string(getpid()) + ".yaml";
  std::ofstream(file) << "version: 1\nname: hand\ninput: {width: 16, height: 3}\nstages:\n  - {name: s, function: " +
                             function + "}\n";
  runs::Request request;
  request.config = FANSIM_SOURCE_DIR "/configs/systems/vision_zcu102.yaml";
  request.network = file;
  request.cross_check = request.verify = true;
  const runs::Run run = runs::run(request);
  unlink(file.c_str());
  CHECK(run.differences.empty());
  return run.layer("s");
}

}  // namespace

TEST_CASE("a function of single pixels counted by hand") {
  const contract::LayerResult result = counted("bitwise_not");
  CHECK(result.cycles == 5312);
  CHECK(result.buckets == std::vector<base::Cycles>{12, 0, 0, 45, 41, 5214});
}

TEST_CASE("a filter of 3 x 3 counted by hand") {
  const contract::LayerResult result = counted("box3x3");
  CHECK(result.cycles == 5332);
  CHECK(result.buckets == std::vector<base::Cycles>{12, 5, 0, 45, 56, 5214});
}

}  // namespace fansim::vision_hand_count_test
