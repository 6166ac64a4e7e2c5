// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/picture.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/random.h"

namespace fansim::picture_test {

using timing::Edge;

namespace {

const std::string kSystem = FANSIM_SOURCE_DIR "/configs/systems/faq_zcu102_dorefa8.yaml";

// What a path might hold.
struct Shown {
  std::int64_t number = 0;
  int small = 0;
  bool yes = false;
  Edge port = 0, fabric = 0;
  tiled::History passed{8};
  timing::Queue<Edge> waiting;

  template <class Picture>
  void show(Picture& picture) {
    picture.number(number);
    picture.number(small);
    picture.number(yes);
    picture.port(port);
    picture.fabric(fabric);
    picture.port(passed, passed.count() - 8, passed.count(), timing::kLongAgo);
    picture.queue(waiting, [&](Edge& edge) { picture.fabric(edge); });
  }
};

void check_same(const Shown& one, const Shown& other) {
  CHECK(one.number == other.number);
  CHECK(one.small == other.small);
  CHECK(one.yes == other.yes);
  CHECK(one.port == other.port);
  CHECK(one.fabric == other.fabric);
  for (std::int64_t i = 1; i <= 8; ++i)
    CHECK(one.passed[one.passed.count() - i] == other.passed[other.passed.count() - i]);
  REQUIRE(one.waiting.size() == other.waiting.size());
  for (std::size_t i = 0; i < one.waiting.size(); ++i) CHECK(one.waiting[i] == other.waiting[i]);
}

}  // namespace

TEST_CASE("what is taken into a picture is put back near its common edge and far from it however large") {
  const tiled::TiledClocks clocks(tiled::Config::read(kSystem, {}));
  const std::uint64_t seed = 20261127;
  INFO("seed " << seed);
  base::Random random(seed);
  // Around what takes one word, three and five.
  const std::vector<int> far = {0,      1,      -1,     126,    127,   128,   -124,   -125,   -126,
                                -127,   -128,   -129,   255,    256,   -256,  32766,  32767,  32768,
                                -32766, -32767, -32768, -32769, 65535, 65536, -65536, 1 << 29};
  const auto pick = [&] { return far[static_cast<std::size_t>(random.uniform(0, static_cast<int>(far.size()) - 1))]; };
  std::vector<tiled::PictureWord> room;
  for (int round = 0; round < 500; ++round) {
    const Edge meeting = random.uniform(0, 1'000'000);
    const Edge port = meeting * clocks.port_period(), fabric = meeting * clocks.fabric_period();
    Shown shown;
    shown.number = pick();
    shown.small = pick();
    shown.yes = random.uniform(0, 1) == 1;
    shown.port = random.uniform(0, 9) == 0 ? timing::kLongAgo : port + pick();
    shown.fabric = fabric + pick();
    Edge edge = port + pick();
    for (int i = random.uniform(0, 12); i > 0; --i) shown.passed.add(edge += random.uniform(0, 9) == 0 ? 40'000 : 1);
    for (int i = random.uniform(0, 40); i > 0; --i) shown.waiting.push(fabric + pick());

    tiled::TakenPicture taken(clocks, meeting, room);
    shown.show(taken);
    REQUIRE(taken.whole());
    CHECK(taken.words() % tiled::kPictureWords == 0);
    Shown back;
    back.passed.restart(shown.passed.count());
    tiled::PutBackPicture put_back(clocks, meeting, room.data());
    back.show(put_back);
    check_same(back, shown);

    // The same, later, is the same picture.
    const std::vector<tiled::PictureWord> before(room.begin(),
                                                 room.begin() + static_cast<std::ptrdiff_t>(taken.words()));
    tiled::TakenPicture later(clocks, meeting + 7, room);
    tiled::PutBackPicture there(clocks, meeting + 7, before.data());
    back.show(there);
    back.show(later);
    CHECK(std::vector<tiled::PictureWord>(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(later.words())) ==
          before);
  }
}

TEST_CASE("what does not fit 31 bits makes no whole picture") {
  const tiled::TiledClocks clocks(tiled::Config::read(kSystem, {}));
  std::vector<tiled::PictureWord> room;
  tiled::TakenPicture picture(clocks, 0, room);
  picture.port(1 << 29);
  CHECK(picture.whole());
  picture.port(Edge{1} << 31);
  CHECK_FALSE(picture.whole());
}

}  // namespace fansim::picture_test
