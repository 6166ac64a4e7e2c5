// SPDX-License-Identifier: Apache-2.0
#include <fstapi.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <tuple>

#include "base/file.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "waveforms/fst_writer.h"

namespace fansim::fst_test {

namespace {

using Change = std::tuple<std::uint64_t, std::string, std::string>;  // time, name, value

// Holds an FST as GTKWave reads it.
struct Read {
  explicit Read(const std::string& path) {
    void* file = fstReaderOpen(path.c_str());
    REQUIRE(file != nullptr);
    begin = fstReaderGetStartTime(file);
    end = fstReaderGetEndTime(file);
    exponent = fstReaderGetTimescale(file);
    blocks = fstReaderGetValueChangeSectionCount(file);
    std::string scope;
    std::map<std::uint64_t, fstETab*> by_handle;
    const fstETab* table = nullptr;  // of the variable that follows
    while (const fstHier* part = fstReaderIterateHier(file)) {
      if (part->htyp == FST_HT_ATTRBEGIN && part->u.attr.subtype == FST_MT_ENUMTABLE) {
        fstETab*& named = by_handle[part->u.attr.arg];
        if (part->u.attr.name_length > 0) named = fstUtilityExtractEnumTableFromString(part->u.attr.name);
        table = part->u.attr.name_length > 0 ? nullptr : named;
      }
      if (part->htyp == FST_HT_SCOPE) scope += std::string(part->u.scope.name) + ".";
      if (part->htyp == FST_HT_UPSCOPE) scope.erase(scope.rfind('.', scope.size() - 2) + 1);
      if (part->htyp != FST_HT_VAR) continue;
      names[part->u.var.handle] = scope + part->u.var.name;
      for (std::uint32_t i = 0; table != nullptr && i < table->elem_count; ++i)
        words[scope + part->u.var.name][table->val_arr[i]] = table->literal_arr[i];
      table = nullptr;
    }
    for (const auto& [handle, named] : by_handle) fstUtilityFreeEnumTable(named);
    fstReaderSetFacProcessMaskAll(file);
    fstReaderIterBlocks2(
        file,
        [](void* self, std::uint64_t time, fstHandle handle, const unsigned char* value) {
          static_cast<Read*>(self)->add(time, handle, reinterpret_cast<const char*>(value));
        },
        [](void* self, std::uint64_t time, fstHandle handle, const unsigned char* value, std::uint32_t size) {
          static_cast<Read*>(self)->add(time, handle, {reinterpret_cast<const char*>(value), size});
        },
        this, nullptr);
    fstReaderClose(file);
  }

  // A block may say again what was so before it.
  void add(std::uint64_t time, fstHandle handle, const std::string& value) {
    if (std::exchange(now[handle], value) != value) changes.emplace_back(time, names.at(handle), value);
  }

  std::uint64_t begin = 0, end = 0, blocks = 0;
  int exponent = 0;
  std::map<fstHandle, std::string> names;
  std::map<std::string, std::map<std::string, std::string>> words;  // by variable and value
  std::map<fstHandle, std::string> now;
  std::vector<Change> changes;
};

struct Written {
  explicit Written(const std::string& path, waveforms::Words words = waveforms::Words::strings)
      : writer([this](std::string_view part) { bytes += part; }, -12, words), path_(path) {}
  ~Written() {
    writer.close();
    base::write_file(path_, bytes);
  }
  void at(std::uint64_t to) { writer.at(static_cast<std::int64_t>(time = to)); }

  std::string bytes;
  waveforms::FstWriter writer;
  std::uint64_t time = 0;

 private:
  std::string path_;
};

std::string random_digits(int bits, base::Random& random) {
  const bool known = random.chance(30);
  std::string digits;
  for (int bit = 0; bit < bits; ++bit) digits += "01x"[random.uniform(0, known ? 1 : 2)];
  return digits;
}

}  // namespace

TEST_CASE("GTKWave reads of an FST what was written") {
  const base::TemporaryFolder folder;
  const std::string path = folder.path() + "/w.fst";
  {
    Written file(path);
    file.writer.declare("top.valid", 1);
    file.writer.declare("top.block.count", 12);
    file.writer.declare("state", {"idle", "busy"});
    file.writer.declare("top.data", 70);
    file.at(100);
    file.writer.set(1, 0x123);
    file.writer.set(3, std::string(70, 'x'));
    file.at(150);
    file.writer.set(0, 1);
    file.at(1'000'000);
    file.writer.set(1, 0x1000);  // more than twelve bits hold
    file.writer.set(2, 1);
    file.writer.set(3, std::string(69, '0') + "1");
  }
  const Read read(path);
  CHECK(read.begin == 100);
  CHECK(read.end == 1'000'000);
  CHECK(read.exponent == -12);
  const std::string top = "SystemC.top.", wide = std::string(69, '0') + "1";
  std::map<std::string, std::vector<std::pair<std::uint64_t, std::string>>> by_name;
  for (const auto& [time, name, value] : read.changes) by_name[name].emplace_back(time, value);
  CHECK(by_name.size() == 4);
  CHECK(by_name[top + "valid"] == decltype(by_name)::mapped_type{{100, "0"}, {150, "1"}});
  CHECK(by_name[top + "block.count [11:0]"] ==
        decltype(by_name)::mapped_type{{100, "000100100011"}, {1'000'000, std::string(12, 'x')}});
  CHECK(by_name["SystemC.state"] == decltype(by_name)::mapped_type{{100, "idle"}, {1'000'000, "busy"}});
  CHECK(by_name[top + "data [69:0]"] == decltype(by_name)::mapped_type{{100, std::string(70, 'x')}, {1'000'000, wide}});
}

TEST_CASE("GTKWave reads the words of numbers from the tables of an FST") {
  const base::TemporaryFolder folder;
  const std::string path = folder.path() + "/w.fst";
  const auto write = [&](waveforms::Words words) {
    Written file(path, words);
    file.writer.declare("top.a.state", {"idle", "busy-1", "wait.for"});
    file.writer.declare("top.count", 8);
    file.writer.declare("top.b.state", {"off", "on"});
    file.at(4);
    file.at(8);
    file.writer.set(0, 2);
    file.at(12);
    file.writer.set(2, 1);
  };
  const std::string a = "SystemC.top.a.state", b = "SystemC.top.b.state", range = " [7:0]";
  const std::map<std::string, std::map<std::string, std::string>> words{
      {a + range, {{"00000000", "idle"}, {"00000001", "busy-1"}, {"00000010", "wait.for"}}},
      {b + range, {{"00000000", "off"}, {"00000001", "on"}}}};
  write(waveforms::Words::enums);
  const Read enums(path);
  CHECK(enums.words == words);
  const std::vector<Change> numbers{{4, a + range, "00000000"},
                                    {4, b + range, "00000000"},
                                    {4, "SystemC.top.count" + range, "00000000"},
                                    {8, a + range, "00000010"},
                                    {12, b + range, "00000001"}};
  std::vector<Change> changes = enums.changes;
  std::sort(changes.begin(), changes.end());
  CHECK((changes == numbers));
  write(waveforms::Words::both);
  const Read both(path);
  CHECK(both.words == words);
  std::vector<Change> strings;
  for (const Change& change : both.changes)
    if (std::get<1>(change).find("_word") != std::string::npos) strings.push_back(change);
  std::sort(strings.begin(), strings.end());
  CHECK(
      (strings ==
       std::vector<Change>{
           {4, a + "_word", "idle"}, {4, b + "_word", "off"}, {8, a + "_word", "wait.for"}, {12, b + "_word", "on"}}));
  write(waveforms::Words::strings);
  CHECK(Read(path).words.empty());
}

TEST_CASE("GTKWave reads random changes over several blocks") {
  constexpr std::size_t kVariables = 12;
  const base::TemporaryFolder folder;
  const std::string path = folder.path() + "/w.fst";
  base::Random random(7);
  std::vector<Change> expected;
  {
    Written file(path);
    std::vector<std::string> now;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kVariables; ++i) {
      const int bits = i < 4 ? 1 : random.uniform(2, 1000);
      const std::string name = "v" + std::to_string(10 + i);
      names.push_back("SystemC." + name + (bits > 1 ? " [" + std::to_string(bits - 1) + ":0]" : ""));
      now.push_back(random_digits(bits, random));
      file.writer.declare(name, bits);
    }
    file.at(5);
    for (std::size_t i = 0; i < kVariables; ++i) {
      file.writer.set(i, now[i]);
      expected.emplace_back(file.time, names[i], now[i]);
    }
    for (int step = 0; step < 6000; ++step) {
      file.at(file.time + static_cast<std::uint64_t>(random.uniform(1, 300)));
      for (std::size_t i = 0; i < kVariables; ++i) {
        const std::string next = random_digits(static_cast<int>(now[i].size()), random);
        if (random.chance(50) || next == now[i]) continue;
        file.writer.set(i, now[i] = next);
        expected.emplace_back(file.time, names[i], next);
      }
    }
  }
  Read read(path);
  CHECK(read.blocks > 1);
  std::sort(read.changes.begin(), read.changes.end());
  std::sort(expected.begin(), expected.end());
  CHECK(read.changes.size() == expected.size());
  CHECK((read.changes == expected));
}

}  // namespace fansim::fst_test
