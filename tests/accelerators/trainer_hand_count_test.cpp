// SPDX-License-Identifier: Apache-2.0
// An image of docs/trainer.md is counted by hand, edge by edge, in both modes and on both engines.
#include <catch2/catch.hpp>

#include "training/train.h"

namespace fansim::trainer_hand_count_test {

namespace {

contract::LayerResult counted(bool training) {
  const std::vector<std::uint8_t> pixels(28 * 28, 100), labels(1, 3);
  training::Request request;
  request.config = FANSIM_SOURCE_DIR "/configs/systems/float_trainer.yaml";
  request.network = FANSIM_SOURCE_DIR "/models/digits.yaml";
  request.height = request.width = 28;
  request.train = request.test = {pixels.data(), labels.data(), 1};
  request.cross_check = request.verify = true;
  const training::Result result = training::train(request);
  CHECK(result.differences.empty());
  return training ? result.training_image : result.inference;
}

}  // namespace

TEST_CASE("an image that is learned counted by hand") {
  const contract::LayerResult result = counted(true);
  CHECK(result.cycles == 26270);
  CHECK(result.buckets == std::vector<base::Cycles>{813, 7067, 790, 2082, 93, 4164, 790, 7067, 2126, 30, 1248});
}

TEST_CASE("an image that is classified counted by hand") {
  const contract::LayerResult result = counted(false);
  CHECK(result.cycles == 12109);
  CHECK(result.buckets == std::vector<base::Cycles>{813, 7067, 790, 2082, 79, 0, 0, 0, 0, 30, 1248});
}

}  // namespace fansim::trainer_hand_count_test
