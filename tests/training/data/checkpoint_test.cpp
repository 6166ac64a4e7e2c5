// SPDX-License-Identifier: Apache-2.0
#include "training/data/checkpoint.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "support/user_error.h"

namespace fansim::checkpoint_test {

namespace {

training::Checkpoint some() {
  training::Checkpoint c;
  c.build = "0f1e";
  c.network = "digits";
  c.design = "a design";
  c.data = "drawn";
  c.seed = 0xffffffffffffffff;
  c.images = 1200;
  c.loss_of_epoch = 0.1 + 0.2;
  c.epochs = {{93.25, 0.3}, {95, 1e-9}};
  c.saturations = 1;
  c.underflows = 2;
  c.cycles = 3'000'000'000;
  c.weights = {{"conv", {0, 1, 0xffffffff}}, {"fc", {0x3f800000}}};
  return c;
}

}  // namespace

TEST_CASE("a checkpoint that is read is the one that was written to the bit") {
  const test::ScratchDirectory folder;
  training::write_checkpoint(folder / "c.json", some());
  const training::Checkpoint read = training::read_checkpoint(folder / "c.json");
  training::write_checkpoint(folder / "again.json", read);
  CHECK(base::read_file(folder / "c.json") == base::read_file(folder / "again.json"));
  CHECK(read.weights[0].words == std::vector<std::uint32_t>{0, 1, 0xffffffff});
  CHECK((read.seed == 0xffffffffffffffff && read.loss_of_epoch == 0.1 + 0.2 && read.epochs.size() == 2));
}

TEST_CASE("what is no checkpoint is refused with its name") {
  const test::ScratchDirectory folder;
  const std::string path = folder / "c.json";
  training::write_checkpoint(path, some());
  const std::string good = base::read_file(path);
  const auto refused = [&](const std::string& content) {
    INFO(content.substr(0, 60));
    base::write_file(path, content);
    CHECK_THROWS_AS(training::read_checkpoint(path), base::UserError);
  };
  const auto changed = [&](const std::string& what, const std::string& to) {
    std::string text = good;
    REQUIRE(text.find(what) != std::string::npos);
    return text.replace(text.find(what), what.size(), to);
  };
  refused("");
  refused("{}");
  refused("[1, 2]");
  refused(good.substr(0, good.size() / 2));
  refused(changed("\"version\":2", "\"version\":3"));
  refused(changed("\"version\":2", "\"version\":0"));
  refused(changed("\"version\":2", "\"version\":\"2\""));
  refused(changed("\"build\":\"0f1e\",", ""));
  refused(changed("fansim checkpoint", "else"));
  refused(changed("\"images\":1200", "\"images\":-1"));
  refused(changed("\"images\":1200", "\"images\":1.5"));
  refused(changed("4294967295", "4294967296"));
  refused(changed("4294967295", "\"x\""));
  refused(changed("\"epochs\":[", "\"epochs\":[7,"));
  CHECK_THROWS_AS(training::read_checkpoint(folder / "none.json"), base::UserError);
}

TEST_CASE("a checkpoint of the first version is read and says no build") {
  const test::ScratchDirectory folder;
  const std::string path = folder / "c.json";
  base::write_file(path, R"({"kind":"fansim checkpoint","version":1,"network":"digits","design":"a design",
"data":"drawn","seed":18446744073709551615,"images":1200,"loss_of_epoch":0.30000000000000004,"epochs":[{"accuracy_percent":93.25,
"loss":0.3},{"accuracy_percent":95.0,"loss":1e-09}],"saturations":1,"underflows":2,"cycles":3000000000,
"weights":{"conv":[0,1,4294967295],"fc":[1065353216]}})");
  const training::Checkpoint first = training::read_checkpoint(path);
  CHECK(first.build.empty());
  training::Checkpoint now = some();
  now.build.clear();
  training::write_checkpoint(folder / "now.json", now);
  training::write_checkpoint(folder / "migrated.json", first);
  CHECK(base::read_file(folder / "now.json") == base::read_file(folder / "migrated.json"));
}

TEST_CASE("of two who write one checkpoint the one that comes second is refused") {
  const test::ScratchDirectory folder;
  const std::string path = folder / "c.json";
  training::CheckpointFile one(path), other(path);
  one.write(some());
  one.write(some());
  const std::string kept = base::read_file(path);
  CHECK_THROWS_WITH(other.write({}), path +
                                         ": another process has written it since; what this one has learned is not "
                                         "kept");
  CHECK(base::read_file(path) == kept);
  training::CheckpointFile next(path);
  next.write(some());
}

TEST_CASE("a checkpoint with a few bytes changed is read or refused and nothing else") {
  const test::ScratchDirectory folder;
  const std::string path = folder / "c.json";
  training::write_checkpoint(path, some());
  const std::string good = base::read_file(path);
  base::Random random(Catch::rngSeed());
  CAPTURE(Catch::rngSeed());
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string bad = good;
    bad[static_cast<std::size_t>(random.uniform(0, static_cast<int>(bad.size()) - 1))] =
        static_cast<char>(random.uniform(0, 255));
    base::write_file(path, bad);
    try {
      training::read_checkpoint(path);
    } catch (const base::UserError&) {
      ++refused;
    }
  }
  CHECK(refused > 50);
}

}  // namespace fansim::checkpoint_test
