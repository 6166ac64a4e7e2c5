// SPDX-License-Identifier: Apache-2.0
#include "base/fields.h"

#include <catch2/catch.hpp>

#include "base/file.h"
#include "base/overrides.h"
#include "support/user_error.h"

namespace fansim::fields_test {

using base::YamlMap;
using test::message_of;

namespace {

enum class Order { row, column };

struct TreeConfig {
  int lanes = 16;
  double ratio = 0.5;
  bool pins = false;
  std::string part = "none";
  Order order = Order::row;

  template <class V>
  void visit(V&& v) {
    v.field("lanes", lanes, 2, 1024, "products summed per beat");
    v.field("ratio", ratio, 0, 1, "a share");
    v.field("pins", pins, "wires");
    v.field("part", part, "a part");
    v.choice("order", order, {{Order::row, "row"}, {Order::column, "column"}}, "walk");
  }
};

TreeConfig read(const base::YamlNode& document) {
  YamlMap top(document);
  YamlMap map = top.child("tree");
  TreeConfig config;
  base::read_fields(map, config);
  map.finish();
  top.finish();
  return config;
}

std::string read_with(const std::string& setting) {
  return message_of([&] {
    base::YamlNode document = base::parse_yaml("tree: {lanes: 8}", "f.yaml");
    base::apply_override(document, setting);
    read(document);
  });
}

}  // namespace

TEST_CASE("a visited struct is read from its map and absent fields keep their default") {
  const TreeConfig config = read(base::parse_yaml("tree: {lanes: 8, pins: true, order: column}", "f.yaml"));
  CHECK(config.lanes == 8);
  CHECK(config.ratio == 0.5);
  CHECK(config.pins);
  CHECK(config.part == "none");
  CHECK(config.order == Order::column);
}

TEST_CASE("a visited struct reports ranges and words and unknown keys") {
  const auto message = [](const std::string& text) {
    return message_of([&] { read(base::parse_yaml(text, "f.yaml")); });
  };
  CHECK(message("tree: {lanes: 1}") == "f.yaml:1:15: tree: lanes 1 is out of range; allowed: an integer 2..1024");
  CHECK(message("tree: {order: colum}") == "f.yaml:1:15: tree: order 'colum' unknown; did you mean 'column'?");
  CHECK(message("tree: {lane: 4}") == "f.yaml:1:8: tree: key 'lane' unknown; did you mean 'lanes'?");
}

TEST_CASE("a field table lists name and type and range and default and meaning") {
  const auto rows = base::field_rows<TreeConfig>();
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].name == "lanes");
  CHECK(rows[0].type == "int");
  CHECK(rows[0].allowed == "2..1024");
  CHECK(rows[0].fallback == "16");
  CHECK(rows[0].doc == "products summed per beat");
  CHECK(rows[1].allowed == "0..1");
  CHECK(rows[1].fallback == "0.5");
  CHECK(rows[4].allowed == "row | column");
  CHECK(rows[4].fallback == "row");
}

TEST_CASE("an override of what is no map is refused") {
  for (const char* text : {"[a, b]", "word", "1"}) {
    base::YamlNode document = base::parse_yaml(text, "f.yaml");
    CHECK_THROWS_WITH(base::apply_override(document, "a.b=1"), Catch::Contains("f.yaml:1:1: expected a map, found "));
  }
}

TEST_CASE("overrides replace values and create missing maps") {
  base::YamlNode document = base::parse_yaml("a: {b: 1}", "f.yaml");
  base::apply_overrides(document, {"a.b=2", "c.d.e=[1, 2]", "a.f=word", "a.g={h: 3}"});
  YamlMap top(document);
  YamlMap a = top.child("a");
  CHECK(a.integer("b") == 2);
  CHECK(a.text("f") == "word");
  CHECK(a.child("g").integer("h") == 3);
  CHECK(top.child("c").child("d").integers("e") == std::vector<int>{1, 2});
}

TEST_CASE("an override's error names the setting") {
  CHECK(read_with("tree.lanes=1") == "--set tree.lanes=1: tree: lanes 1 is out of range; allowed: an integer 2..1024");
  CHECK(read_with("tree.lane=4") == "--set tree.lane=4: tree: key 'lane' unknown; did you mean 'lanes'?");
  CHECK(read_with("tre.lanes=4") == "--set tre.lanes=4: key 'tre' unknown; did you mean 'tree'?");
  CHECK(read_with("tree.lanes.x=4") ==
        "--set tree.lanes.x=4: 'lanes': f.yaml:1:15: expected a map or the path of a .yaml file, found number 8");
  CHECK(read_with("tree.lanes") == "--set tree.lanes: expected key.path=value");
  CHECK(read_with("tree..lanes=1") == "--set tree..lanes=1: expected key.path=value: a key is empty");
  CHECK(read_with("tree.lanes=") == "--set tree.lanes=: tree: lanes: expected an integer 2..1024, found nothing");
  CHECK(read_with("tree.lanes=[").substr(0, 18) == "--set tree.lanes=[");
}

TEST_CASE("overrides reach into a map kept in another file") {
  const test::ScratchDirectory dir;
  base::write_file(dir / "top.yaml", "tree: tree.yaml\n");
  base::write_file(dir / "tree.yaml", "lanes: 32\nratio: 0.25\n");
  base::write_file(dir / "other.yaml", "lanes: 64\n");
  base::YamlNode document = base::load_yaml(dir / "top.yaml");
  base::apply_override(document, "tree.lanes=4");
  CHECK(read(document).lanes == 4);
  CHECK(read(document).ratio == 0.25);
  base::apply_override(document, "tree=other.yaml");
  CHECK(read(document).lanes == 64);
}

}  // namespace fansim::fields_test
