// SPDX-License-Identifier: Apache-2.0
#include "base/yaml.h"

#include <catch2/catch.hpp>
#include <ctime>

#include "base/file.h"
#include "base/overrides.h"
#include "support/user_error.h"

namespace fansim::yaml_test {

using base::YamlMap;
using test::message_of;

namespace {

YamlMap map_of(const std::string& text, const std::string& label = "") {
  return YamlMap(base::parse_yaml(text, "f.yaml"), label);
}

template <class Read>
std::string reading(const std::string& text, Read read) {
  return message_of([&] {
    YamlMap map = map_of(text);
    read(map);
  });
}

}  // namespace

TEST_CASE("typed getters return what the file says") {
  YamlMap map = map_of("{a: -3, h: 0x10, b: 2.5, c: true, d: word, e: [1, 2], f: 1000/3, g: second}");
  CHECK(map.integer("a") == -3);
  CHECK(map.integer("h") == 16);
  CHECK(map.number("b", 0, 10) == 2.5);
  CHECK(map.boolean("c"));
  CHECK(map.text("d") == "word");
  CHECK(map.integers("e") == std::vector<int>{1, 2});
  CHECK(map.rational("f").text() == "1000/3");
  CHECK(map.choice("g", {"first", "second"}) == 1);
  CHECK(map.integer("absent", 0, 9, 7) == 7);
  CHECK(message_of([&] { map.finish(); }).empty());
}

TEST_CASE("a wrong type names the place and what was found and what is allowed") {
  CHECK(reading("a: word", [](YamlMap& m) { m.integer("a", 1, 9); }) ==
        "f.yaml:1:4: a: expected an integer 1..9, found text 'word'");
  CHECK(reading("a: 1.5", [](YamlMap& m) { m.integer("a"); }) ==
        "f.yaml:1:4: a: expected an integer, found number 1.5");
  CHECK(reading("a: '1'", [](YamlMap& m) { m.integer("a"); }) == "f.yaml:1:4: a: expected an integer, found text '1'");
  CHECK(reading("a: [1]", [](YamlMap& m) { m.integer("a"); }) == "f.yaml:1:4: a: expected an integer, found a list");
  CHECK(reading("a: true", [](YamlMap& m) { m.number("a", 0, 1); }) ==
        "f.yaml:1:4: a: expected a number 0..1, found truth value 'true'");
  CHECK(reading("a: .nan", [](YamlMap& m) { m.number("a", 0, 1); }) ==
        "f.yaml:1:4: a: expected a number 0..1, found number .nan");
  CHECK(reading("a: 1", [](YamlMap& m) { m.boolean("a"); }) == "f.yaml:1:4: a: expected true or false, found number 1");
  CHECK(reading("a: {}", [](YamlMap& m) { m.text("a"); }) == "f.yaml:1:4: a: expected text, found a map");
  CHECK(reading("a: 3", [](YamlMap& m) { m.integers("a"); }) ==
        "f.yaml:1:4: a: expected a list of integers, found number 3");
  CHECK(reading("a: 1/0", [](YamlMap& m) { m.rational("a"); }) ==
        "f.yaml:1:4: a: expected a number above 0 or a ratio like 1000/3, found text '1/0'");
  CHECK(reading("a:\n", [](YamlMap& m) { m.integer("a"); }) == "f.yaml:2:1: a: expected an integer, found nothing");
}

TEST_CASE("a value out of range names the range") {
  CHECK(reading("\n  a: 10", [](YamlMap& m) { m.integer("a", 1, 9); }) ==
        "f.yaml:2:6: a 10 is out of range; allowed: an integer 1..9");
  CHECK(reading("a: 99999999999999999999", [](YamlMap& m) { m.integer("a", 1); }) ==
        "f.yaml:1:4: a 99999999999999999999 is out of range; allowed: an integer of at least 1");
  CHECK(reading("a: [1, 12]", [](YamlMap& m) { m.integers("a", 1, 9); }) ==
        "f.yaml:1:8: a 12 is out of range; allowed: an integer 1..9");
  CHECK(reading("a: 2", [](YamlMap& m) { m.number("a", 0, 1); }) ==
        "f.yaml:1:4: a 2 is out of range; allowed: a number 0..1");
}

TEST_CASE("unknown words and keys offer the nearest known one") {
  CHECK(reading("activation: rleu", [](YamlMap& m) {
          m.choice("activation", {"none", "relu"});
        }) == "f.yaml:1:13: activation 'rleu' unknown; did you mean 'relu'?");
  CHECK(reading("activation: softmax", [](YamlMap& m) {
          m.choice("activation", {"none", "relu"});
        }) == "f.yaml:1:13: activation 'softmax' unknown; one of none, relu");
  const auto read_kernel = [](YamlMap& m) {
    m.has("kernel");
    m.finish();
  };
  CHECK(reading("kernal: 3", read_kernel) == "f.yaml:1:1: key 'kernal' unknown; did you mean 'kernel'?");
  CHECK(reading("colour: 3", read_kernel) == "f.yaml:1:1: key 'colour' unknown");
  CHECK(reading("a: 3", [](YamlMap& m) { m.at("b"); }) == "f.yaml:1:1: key 'b' is missing");
}

TEST_CASE("a label begins each message of a map") {
  YamlMap map = map_of("kernel: x", "conv1");
  CHECK(message_of([&] { map.integer("kernel", 1, 7); }) ==
        "f.yaml:1:9: conv1: kernel: expected an integer 1..7, found text 'x'");
}

TEST_CASE("malformed documents name the place") {
  CHECK(message_of([] { map_of("a: 1\nb: 2\na: 3\n"); }) == "f.yaml:3:1: key 'a' given twice");
  CHECK(message_of([] { map_of("a: {x: 1, y: 2, x: 3}"); }) == "f.yaml:1:17: key 'x' given twice");
  CHECK(message_of([] { map_of("a: [1, 2"); }).substr(0, 9) == "f.yaml:1:");
  CHECK(message_of([] { map_of(""); }) == "f.yaml: holds no YAML document");
  CHECK(message_of([] { map_of("a: 1\n---\nb: 2\n"); }) == "f.yaml:3:1: more than one YAML document");
  CHECK(message_of([] { map_of(","); }) == "f.yaml:1:1: no value begins like this");
  CHECK(message_of([] { map_of("[1]\n, a"); }) == "f.yaml:2:1: more than one YAML document");
  CHECK(message_of([] { map_of("- 1"); }) == "f.yaml:1:1: expected a map, found a list");
  CHECK(message_of([] { map_of("[1]: 2"); }) == "f.yaml:1:1: a key must be a word");
  CHECK(message_of([] { map_of("a: " + std::string(80, '[') + std::string(80, ']')); }) ==
        "f.yaml:1:68: nested deeper than 64 levels");
  CHECK(message_of([] { map_of("a: &x {b: *x}"); }).find("nested deeper") != std::string::npos);
  CHECK(message_of([] { base::load_yaml("no/such.yaml"); }) == "no/such.yaml: cannot read: No such file or directory");
  CHECK(message_of([] { base::load_yaml("/"); }) == "/: cannot read: Is a directory");
}

TEST_CASE("a map may be the relative path of another file and errors name the right file") {
  const test::ScratchDirectory dir;
  std::filesystem::create_directory(dir / "parts");
  base::write_file(dir / "top.yaml", "array: parts/array.yaml\nmissing: parts/none.yaml\nwrong: 3\n");
  base::write_file(dir / "parts/array.yaml", "rows: 3\ncols: many\n");
  YamlMap top(base::load_yaml(dir / "top.yaml"));
  YamlMap array = top.child("array");
  CHECK(array.integer("rows") == 3);
  CHECK(message_of([&] { array.integer("cols"); }) ==
        (dir / "parts/array.yaml") + ":2:7: array: cols: expected an integer, found text 'many'");
  CHECK(message_of([&] { top.child("missing"); }) ==
        (dir / "top.yaml:2:10: ") + (dir / "parts/none.yaml") + ": cannot read: No such file or directory");
  CHECK(message_of([&] { top.child("wrong"); }) ==
        (dir / "top.yaml:3:8: ") + "expected a map or the path of a .yaml file, found number 3");
}

TEST_CASE("aliases that multiply long texts are refused before they fill the memory and so are long documents") {
  std::string text = "a: &a " + std::string(16'000, 'x') + "\nb: [*a";
  for (int i = 0; i < 20'000; ++i) text += ",*a";
  CHECK_THAT(message_of([&] { base::parse_yaml(text + "]\n", "f"); }), Catch::Contains("too many values"));
  text = "a: &a {" + std::string(1'000, 'k') + ": 1}\nb: [*a";
  for (int i = 0; i < 100'000; ++i) text += ",*a";
  CHECK_THAT(message_of([&] { base::parse_yaml(text + "]\n", "f"); }), Catch::Contains("too many values"));
  text = "a: &a [x,x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c < 'g'; ++c) {
    text += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 10; ++i) text += std::string(i > 0 ? "," : "") + "*" + static_cast<char>(c - 1);
    text += "]\n";
  }
  CHECK_THAT(message_of([&] { base::parse_yaml(text, "f"); }), Catch::Contains("too many values"));
  CHECK_THAT(message_of([] { base::parse_yaml(std::string(5'000'000, '#'), "f"); }),
             Catch::Contains("f: has more than"));
}

TEST_CASE("many keys take a time in proportion") {
  const auto ticks = [](int keys) {
    std::string text;
    for (int i = 0; i < keys; ++i) text += "k" + std::to_string(i) + ": 1\n";
    const std::clock_t begin = std::clock();
    CHECK(base::parse_yaml(text, "f").entries.size() == static_cast<std::size_t>(keys));
    return static_cast<double>(std::clock() - begin);
  };
  ticks(1000);
  CHECK(ticks(32'000) < 16 * ticks(4'000));  // eight times as many; 64 times the comparisons of each with each
}

TEST_CASE("an override of many levels is refused and a long one is shown cut") {
  base::YamlNode document = base::parse_yaml("a: 1\n", "f");
  std::string path = "b";
  for (int i = 0; i < 3'000; ++i) path += ".b";
  const std::string message = message_of([&] { base::apply_override(document, path + "=1"); });
  CHECK_THAT(message, Catch::EndsWith("...: nested deeper than 64 levels"));
  CHECK(message.size() < 300);
}

}  // namespace fansim::yaml_test
