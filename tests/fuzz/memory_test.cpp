// SPDX-License-Identifier: Apache-2.0
// These tests show that the declared size of a file's content is refused before memory for it is allocated.
#ifndef FANSIM_CHECKED
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "base/file.h"
#include "fuzz/trial.h"
#include "fuzz/workshop.h"
#include "importer/small_model.h"

namespace fansim::memory_test {

namespace {

// Runs the program on the file, in an address space that is too small for what the file declares.
test::Trial given(const std::string& file, const std::string& content, const std::vector<std::string>& command) {
  test::Target target;
  target.name = file;
  target.file = file;
  target.command = command;
  std::filesystem::create_directories(std::filesystem::absolute(file).parent_path());
  return test::attempt_program(target, content);
}

void refused(const std::string& file, const std::string& content, const std::vector<std::string>& command,
             const std::string& because) {
  const test::Trial trial = given(file, content, command);
  INFO(file << ": " << trial.said);
  CHECK(trial.fault == "");
  CHECK(trial.code == 2);
  CHECK(trial.said.find(because) != std::string::npos);
}

void taken(const std::string& file, const std::string& content, const std::vector<std::string>& command) {
  const test::Trial trial = given(file, content, command);
  INFO(file << ": " << trial.said);
  CHECK(trial.fault == "");
  CHECK(trial.code == 0);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

std::string npy(const std::string& type, const std::string& shape) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize(117, ' ');
  return std::string("\x93NUMPY\x01\x00", 8) + std::string{static_cast<char>(header.size() + 1), '\0'} + header + "\n";
}

using test::kTiny;

const std::string kHead = "version: 1\nname: n\ninput: ";

}  // namespace

TEST_CASE("networks of terabytes are refused before there is memory for them") {
  const test::Workshop workshop;
  const std::vector<std::string> run{"run", "tiny_stream", "@"};
  std::string layers = kHead + "{shape: [46340, 1, 1], type: int8}\nlayers:\n";
  for (int i = 0; i < 1000; ++i) layers += fmt::format("  - {{name: f{}, type: fc, units: 46340}}\n", i);
  refused("n.yaml", layers, run, "with values a network may hold 536870912");
  refused("n.yaml", kHead + "{shape: [1048576, 2047, 1], type: int8}\nlayers:\n  - {name: r, type: relu}\n", run,
          "with values a network may hold");
  refused("n.yaml", kHead + "{shape: [1048576, 1048576, 1048576], type: int8}\nlayers:\n  - {name: r, type: relu}\n",
          run, "more than 2^31 values");
  refused("p.yaml", kHead + "{width: 32768, height: 32768, channels: 3}\nstages:\n  - {name: m, function: median3x3}\n",
          {"run", "vision_zcu102", "@"}, "with values a network may hold");
  refused("p.yaml",
          kHead + "{width: 8, height: 8}\nstages:\n  - {name: a, function: picture, width: 32768, height: 32768}\n",
          {"run", "vision_zcu102", "@"}, "with values a network may hold");
}

TEST_CASE("tensors and pictures of terabytes are refused before there is memory for them") {
  const test::Workshop workshop;
  const std::string shape = "(1099511627776, 3, 7, 6)";
  for (const char* option : {"--input", "--inputs"})
    refused("m.npy", npy("|i1", shape), {"run", "tiny_stream", kTiny, option, "@"}, "m.npy: ");
  refused("m.npy", npy("<i8", "(1099511627776,)"),
          {"run", "tiny_stream", kTiny, "--inputs", "many.npy", "--labels", "@"}, "m.npy: ");
  const std::vector<std::string> see{"run", "vision_zcu102", "models/mutant/view.yaml", "--input", "@"};
  refused("m.pgm", "P5 2000000000 2000000000 255\nabc", see, "m.pgm: ");
  std::string png = base::read_file("view.png");
  png.replace(16, 8, big_endian(0x7fffffff) + big_endian(0x7fffffff));
  refused("m.png", png, see, "m.png: ");
  refused("digits/train-images-idx3-ubyte",
          std::string("\0\0\x08\x03", 4) + big_endian(0xffffffff) + big_endian(1024) + big_endian(1024),
          {"train", "float_trainer", "models/mutant/digits.yaml", "--data", "digits"}, "truncated");
}

TEST_CASE("models and spaces and reports of terabytes are refused before there is memory for them") {
  const test::Workshop workshop;
  test::SmallModel model;
  model.graph().mutable_initializer(0)->set_dims(0, std::int64_t{1} << 40);
  refused("m.onnx", model.bytes(), {"import", "@", "-o", "out"}, "elements");
  std::string space = "version: 1\nname: s\nconfig: configs/systems/tiny_stream.yaml\nparameters:\n";
  for (int i = 0; i < 1000; ++i) space += fmt::format("  array.p{}: {{range: [1, 1048576]}}\n", i);
  refused("s.yaml", space + "objectives: [dsp]\n", {"explore", "@", kTiny}, "values of all parameters");
  std::string aliases = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'l'; ++c)
    aliases += fmt::format("{0}: &{0} [{1}*{2}]\n", c, repeated(fmt::format("*{}, ", char(c - 1)), 8), char(c - 1));
  refused("a.yaml", aliases, {"estimate", "@"}, "too many values");
  refused("r.json", "{\"schema\": 1, \"layers\": " + repeated("[", 1 << 20), {"compare", "@", "@"}, "r.json");
  std::string modules = "\"m0\": {\"num_cells_by_type\": {\"LUT2\": 4000000000}}";
  for (int i = 1; i < 12; ++i)
    modules += fmt::format(", \"m{}\": {{\"num_cells_by_type\": {{\"m{}\": 1000}}}}", i, i - 1);
  refused("y.json", "{\"modules\": {" + modules + "}}\n", {"calibrate", "@"}, "y.json");
}

TEST_CASE("a batch takes memory for its inputs and not for classes squared or processors asked for") {
  const test::Workshop workshop;
  base::write_file("wide.yaml",
                   kHead + "{shape: [3, 1, 1], type: int8}\nlayers:\n  - {name: f, type: fc, units: 46340}\n");
  taken("m.npy", npy("|i1", "(2, 3, 1, 1)") + "abcdef",
        {"run", "tiny_stream", "wide.yaml", "--inputs", "@", "--labels", "labels.npy"});
  taken("models/mutant/m.yaml", base::read_file(kTiny),
        {"run", "tiny_stream", "@", "--inputs", "many.npy", "--jobs", "1024"});
}

}  // namespace fansim::memory_test
#endif
