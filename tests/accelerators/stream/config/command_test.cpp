// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/config/command.h"

#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <vector>

#include "base/random.h"

namespace fansim::command_test {

using stream::Command;
using stream::RegisterImage;

namespace {

constexpr std::uint64_t kSeed = 30;

struct Field {
  std::string name;
  int reg, word, low, width;
};

struct Lister {
  std::vector<Field> fields;
  void bits(const char* name, int&, int reg, int word, int low, int width, const char*) {
    fields.push_back({name, reg, word, low, width});
  }
  void address(const char* name, std::uint32_t&, int reg, const char*) { fields.push_back({name, reg, 0, 0, 32}); }
};

std::vector<Field> fields() {
  Lister lister;
  Command command;
  command.visit(lister);
  return lister.fields;
}

struct Randomiser {
  base::Random& random;
  void bits(const char*, int& value, int, int, int, int width, const char*) {
    value = random.uniform(0, static_cast<int>((std::uint32_t{1} << (width < 31 ? width : 31)) - 1));
  }
  void address(const char*, std::uint32_t& value, int, const char*) {
    value = static_cast<std::uint32_t>(random.next());
  }
};

// Sets one field of a command by name.
struct Setter {
  std::string wanted;
  std::int64_t to;
  void bits(const char* name, int& value, int, int, int, int, const char*) {
    if (wanted == name) value = static_cast<int>(to);
  }
  void address(const char* name, std::uint32_t& value, int, const char*) {
    if (wanted == name) value = static_cast<std::uint32_t>(to);
  }
};

Command with(const std::string& field, std::int64_t value) {
  Command command;
  Setter setter{field, value};
  command.visit(setter);
  return command;
}

struct Values {
  std::vector<std::int64_t> all;
  void bits(const char*, int& value, int, int, int, int, const char*) { all.push_back(value); }
  void address(const char*, std::uint32_t& value, int, const char*) { all.push_back(value); }
};

std::vector<std::int64_t> values(Command command) {
  Values v;
  command.visit(v);
  return v.all;
}

std::uint32_t word(const RegisterImage& image, const Field& f) {
  const std::map<int, std::uint32_t> plain{
      {1, image.reg1}, {2, image.reg2}, {4, image.reg4}, {5, image.reg5}, {6, image.reg6}};
  return f.reg == 3 ? image.geometry[static_cast<std::size_t>(f.word)] : plain.at(f.reg);
}

}  // namespace

TEST_CASE("a command survives its registers: every field of every random command comes back") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  for (int n = 0; n < 2000; ++n) {
    Command command;
    Randomiser randomiser{random};
    command.visit(randomiser);
    REQUIRE(values(decode(encode(command))) == values(command));
  }
}

TEST_CASE("a command written register by register comes back and there is no seventh register") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  RegisterImage image;
  for (int n = 0; n < 200; ++n) {
    Command command;
    Randomiser randomiser{random};
    command.visit(randomiser);
    const RegisterImage wanted = encode(command);
    for (int word = 0; word < RegisterImage::kGeometryWords; ++word)
      REQUIRE(image.write(stream::register_offset(3),
                          stream::geometry_value(word, wanted.geometry[static_cast<std::size_t>(word)])));
    for (const auto& [reg, value] : {std::pair{1, wanted.reg1}, std::pair{2, wanted.reg2}, std::pair{4, wanted.reg4},
                                     std::pair{5, wanted.reg5}, std::pair{6, wanted.reg6}})
      REQUIRE(image.write(stream::register_offset(reg), value));
    REQUIRE(values(decode(image)) == values(command));
  }
  for (const std::uint32_t offset : {2U, 24U, 28U, 0xffffffffU}) CHECK_FALSE(image.write(offset, 1));
}

TEST_CASE("what writes of any registers in any order say is what an image of them says after each") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  RegisterImage image;
  stream::WrittenCommand written;
  REQUIRE(values(*written) == values(decode(image)));
  for (int n = 0; n < 2000; ++n) {
    const auto offset = static_cast<std::uint32_t>(random.uniform(0, 30));
    const auto value = static_cast<std::uint32_t>(random.next());
    INFO("write " << n << ": " << value << " at " << offset);
    REQUIRE(written.write(offset, value) == image.write(offset, value));
    REQUIRE(values(*written) == values(decode(image)));
  }
}

TEST_CASE("the fields of a command fill their registers without overlap and geometry words stay within 28 bits") {
  std::map<std::pair<int, int>, std::uint32_t> used;
  for (const Field& f : fields()) {
    INFO(f.name);
    REQUIRE(f.low + f.width <= (f.reg == 3 ? 28 : 32));
    REQUIRE(f.word < (f.reg == 3 ? RegisterImage::kGeometryWords : 1));
    const std::uint32_t mask = (f.width == 32 ? ~0U : (1U << f.width) - 1) << f.low;
    std::uint32_t& taken = used[{f.reg, f.word}];
    REQUIRE((taken & mask) == 0);
    taken |= mask;
  }
}

TEST_CASE("a field changes exactly its own bits") {
  const RegisterImage idle = encode(Command{});
  for (const Field& f : fields()) {
    INFO(f.name);
    const std::uint32_t ones = f.width >= 31 ? 0x7fffffffU : (1U << f.width) - 1;
    const RegisterImage image = encode(with(f.name, ones));
    for (const Field& other : fields()) {
      const std::uint32_t changed = word(image, other) ^ word(idle, other);
      if (other.reg == f.reg && other.word == f.word) {
        REQUIRE((word(image, f) >> f.low & ones) == ones);
        REQUIRE((changed & ~(ones << f.low)) == 0);
      } else {
        REQUIRE(changed == 0);
      }
    }
  }
}

TEST_CASE("a value that does not fit its bits is refused and so is a negative one") {
  for (const Field& f : fields()) {
    INFO(f.name);
    if (f.width == 32 && f.reg == 6) continue;  // an address: any 32 bits
    if (f.width < 31) REQUIRE_THROWS_WITH(encode(with(f.name, std::int64_t{1} << f.width)), Catch::Contains(f.name));
    REQUIRE_THROWS_WITH(encode(with(f.name, -1)), Catch::Contains(f.name));
  }
}

TEST_CASE("a printed command names the fields that differ from an idle one whether zero or not") {
  CHECK(print(Command{}).empty());
  Command command;
  command.start_conv = 1;
  command.tile_rows = 0;
  command.kernel = 3;
  command.output_base = 0x1000;
  CHECK(print(command) == "start_conv=1 kernel=3 tile_rows=0 output_base=0x1000");
}

TEST_CASE("the six registers lie four bytes apart and register 3 selects its word by the top four bits") {
  for (int reg = 1; reg <= 6; ++reg) CHECK(stream::register_offset(reg) == static_cast<std::uint32_t>(4 * reg - 4));
  CHECK(stream::geometry_value(15, 0x0fffffff) == 0xffffffff);
  CHECK(stream::geometry_value(3, 5) == 0x30000005);
}

}  // namespace fansim::command_test
