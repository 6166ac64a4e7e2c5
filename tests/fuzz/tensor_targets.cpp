// SPDX-License-Identifier: Apache-2.0
// These targets are tensors and images: .npy, PNG, PGM, PPM and the IDX files of digits.
#include "base/error.h"
#include "base/file.h"
#include "base/npy.h"
#include "fuzz/target.h"
#include "fuzz/workshop.h"

namespace fansim::test {
namespace {

std::string npy(const base::NpyShape& shape, base::DataType type, std::size_t bytes) {
  base::write_npy("made.npy", shape, type, std::vector<std::uint8_t>(bytes, 60));
  return base::read_file("made.npy");
}

Target bytes(const std::string& name, const std::string& file, const std::vector<std::string>& command) {
  Target target;
  target.name = name;
  target.kind = Mutator::Kind::bytes;
  target.file = file;
  target.command = command;
  return target;
}

// Reads a file about which nothing is known in every possible way.
void read_any_npy(const std::string& file) {
  const auto attempt = [](auto&& read) {
    try {
      read();
    } catch (const base::UserError&) {
      return;  // another may take it
    }
  };
  attempt([&] { base::read_npy<std::int8_t>(file, {3, 7, 6}); });
  attempt([&] { base::read_npy<std::int32_t>(file, {2}); });
  attempt([&] { base::read_npy<float>(file, {2, 6, 6}); });
  attempt([&] { base::read_npy_batch(file, {6, 6}); });
  attempt([&] { base::read_npy_tensors(file, base::DataType::int8, {3, 7, 6}); });
  attempt([&] { base::read_npy_count(file); });
  attempt([&] { base::holds_floats(file); });
  attempt([&] { base::read_npy_integers(file); });
  attempt([&] { base::read_npy_bytes(file, 3); });
}

void add_npy(std::vector<Target>& targets) {
  const std::vector<std::string> seeds{
      npy({3, 7, 6}, base::DataType::int8, 126),  npy({2, 3, 7, 6}, base::DataType::int8, 252),
      npy({2}, base::DataType::int32, 8),         npy({2, 6, 6}, base::DataType::float32, 288),
      npy({3, 6, 6}, base::DataType::uint8, 108), npy({1, 12, 12}, base::DataType::float32, 576),
      npy({2}, base::DataType::uint8, 2)};
  const std::string machine = "tiny_stream", tiny = "models/mutant/tiny.yaml";
  Target any = bytes("npy", "m.npy", {});
  any.read = read_any_npy;
  any.seeds = seeds;
  targets.push_back(any);
  Target text = any;  // the header is text
  text.name = "npy_header";
  text.kind = Mutator::Kind::text;
  text.words = {"'descr'", "'fortran_order'", "'shape'", "<f4", "|i1", "<i8", ">i4", "True", "(3,", "(,)", "()"};
  targets.push_back(text);

  const auto add = [&](const std::string& name, const std::string& seed, const std::vector<std::string>& command) {
    Target target = bytes("npy_" + name, "models/mutant/m.npy", command);
    target.seeds = {seed};
    target.codes = {0, 2, 3};
    targets.push_back(target);
  };
  add("input", seeds[0], {"run", machine, tiny, "--verify", "--input", "@"});
  add("inputs", seeds[1], {"run", machine, tiny, "--verify", "--inputs", "@", "--labels", "labels.npy"});
  add("labels", base::read_file("labels.npy"), {"run", machine, tiny, "--inputs", "many.npy", "--labels", "@"});
  base::write_file("models/mutant/given.yaml",
                   "version: 1\nname: g\ninput: {shape: [8, 3, 3], type: int8}\nlayers:\n"
                   "  - {name: c, type: conv, filters: 4, kernel: 3, weights: m.npy}\n");
  add("weights", npy({4, 8, 3, 3}, base::DataType::int8, 288),
      {"run", machine, "models/mutant/given.yaml", "--verify"});
}

void add_pictures(std::vector<Target>& targets) {
  Target picture =
      bytes("picture", "m.png", {"run", "vision_zcu102", "models/mutant/view.yaml", "--verify", "--input", "@"});
  std::string ascii = "P2\n# a comment\n20 8\n255\n", colours = "P6 20 8 255\n";
  for (int i = 0; i < 160; ++i) {
    ascii += std::to_string(i) + " ";
    colours += "abc";
  }
  picture.seeds = {base::read_file("view.png"), base::read_file("view.pgm"), ascii, colours};
  picture.codes = {0, 2, 3};
  picture.mib = 1024;  // a picture may have 2^26 pixels, and a header is read before there is memory for them
  targets.push_back(picture);
  Target head = picture;
  head.name = "picture_header";
  head.kind = Mutator::Kind::text;
  head.words = {"P1", "P2", "P3", "P4", "P5", "P6", "P7", "65535", "20", "8"};
  targets.push_back(head);
}

void add_digits(std::vector<Target>& targets) {
  for (const auto& [name, folder, file] : {std::tuple{"digits_images", "digits", "train-images-idx3-ubyte"},
                                           {"digits_labels", "digits", "train-labels-idx1-ubyte"},
                                           {"digits_npy", "digits_npy", "train_images.npy"}}) {
    Target digits = bytes(name, std::string(folder) + "/" + file,
                          {"train", "float_trainer", "models/mutant/digits.yaml", "--data", folder, "--images", "2"});
    digits.seeds = {base::read_file(digits.file)};
    targets.push_back(digits);
  }
}

}  // namespace

void add_tensors(std::vector<Target>& targets) {
  add_npy(targets);
  add_pictures(targets);
  add_digits(targets);
}

}  // namespace fansim::test
