// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <future>

#include "base/file.h"
#include "base/npy.h"
#include "pictures/picture_file.h"
#include "pictures/test_card.h"
#include "program.h"

namespace fansim::pictures_test {

using pictures::Picture;
using test::config;
using test::Outcome;
using test::run_program;
using Words = std::vector<std::string>;

namespace {

// Holds a folder with a network whose first layer passes its input on unchanged.
struct Folder : test::ScratchDirectory {
  explicit Folder(int channels, const std::string& more = "", const std::string& type = "uint8") {
    base::write_file(*this / "net.yaml", "version: 1\nname: picture\ninput: {shape: [" + std::to_string(channels) +
                                             ", 9, 14], type: " + type + "}\nlayers:\n  - {name: same, type: relu}\n" +
                                             more);
  }
  Outcome run(
      const Words& more, const std::function<void()>& prepare = [] {}) const {
    Words words{"run", config("tiny_stream"), *this / "net.yaml"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words, prepare);
  }
  void refuses(const Words& more, const std::string& message) const {
    const Outcome outcome = run(more);
    CAPTURE(more, outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.err == message + "\n");
    CHECK(outcome.out.empty());
  }
};

Picture card(int channels) { return pictures::test_card(14, 9, channels, 8, 5); }

const std::string kMore =
    "  - {name: gray, type: conv, filters: 1, kernel: 3, padding: 1, quant: {type: uint8}}\n"
    "  - {name: half, type: maxpool, kernel: 2, stride: 2}\n"
    "  - {name: many, type: conv, filters: 4, kernel: 1, quant: {type: uint8}}\n"
    "  - {name: signed, type: conv, filters: 3, kernel: 1}\n"
    "  - {name: flat, type: flatten}\n";

}  // namespace

TEST_CASE("a picture goes through a network that changes nothing and comes out as it was in every format") {
  for (const int channels : {1, 3}) {
    const Folder folder(channels);
    const std::string plain = channels == 1 ? ".pgm" : ".ppm";
    for (const std::string& in : {plain, std::string(".png")})
      for (const std::string& out : {plain, std::string(".png")}) {
        CAPTURE(in, out);
        pictures::write_picture(folder / ("in" + in), card(channels));
        const Outcome outcome =
            folder.run({"--input", folder / ("in" + in), "--out", folder / ("out" + out), "--verify", "--cross-check"});
        CAPTURE(outcome.err);
        REQUIRE(outcome.code == 0);
        CHECK(pictures::read_picture(folder / ("out" + out)) == card(channels));
      }
  }
}

TEST_CASE("a picture's channels are the network's whatever the file") {
  const Folder folder(3);
  pictures::write_picture(folder / "in.ppm", card(3));
  REQUIRE(folder.run({"--input", folder / "in.ppm", "--out", folder / "out.npy"}).code == 0);
  const auto map = base::read_npy<std::uint8_t>(folder / "out.npy", {3, 9, 14});
  const Picture picture = card(3);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t pixel = 0; pixel < 9 * 14; ++pixel)
      CHECK(map[c * 9 * 14 + pixel] == picture.samples[pixel * 3 + c]);
  // The same tensor is converted back to an image.
  REQUIRE(folder.run({"--input", folder / "out.npy", "--out", folder / "back.png"}).code == 0);
  CHECK(pictures::read_picture(folder / "back.png") == picture);
}

TEST_CASE("a dump has pictures beside the tensors that are some and no others") {
  const Folder folder(3, kMore);
  pictures::write_picture(folder / "in.png", card(3));
  REQUIRE(folder.run({"--input", folder / "in.png", "--dump", folder / "dump", "--engine", "clocked"}).code == 0);
  // Gray is pooled on its way out: no output of its own.
  CHECK(test::files_in(folder / "dump") ==
        Words{"flat.npy", "half.npy", "half.pgm", "many.npy", "same.npy", "same.ppm", "signed.npy"});
  CHECK(pictures::read_picture(folder / "dump/same.ppm") == card(3));
  const Picture half = pictures::read_picture(folder / "dump/half.pgm");
  CHECK((half.width == 7 && half.height == 4));
  const auto tensor = base::read_npy<std::uint8_t>(folder / "dump/half.npy", {1, 4, 7});
  CHECK(half.samples == std::vector<std::uint16_t>(tensor.begin(), tensor.end()));
}

TEST_CASE("the last layer that runs is the output") {
  const Folder folder(3, kMore);
  REQUIRE(folder.run({"--dump", folder / "dump", "--out", folder / "out.npy"}).code == 0);
  CHECK(base::read_file(folder / "out.npy") == base::read_file(folder / "dump/flat.npy"));
  REQUIRE(folder.run({"--layers", "gray..half", "--out", folder / "out.pgm"}).code == 0);
  CHECK(base::read_file(folder / "out.pgm") == base::read_file(folder / "dump/half.pgm"));
  // Gray is pooled on its way out.
  REQUIRE(folder.run({"--layers", "gray", "--out", folder / "out.pgm"}).code == 0);
  CHECK(base::read_file(folder / "out.pgm") == base::read_file(folder / "dump/half.pgm"));
  REQUIRE(folder.run({"--layers", "same", "--out", folder / "out.ppm"}).code == 0);
  CHECK(base::read_file(folder / "out.ppm") == base::read_file(folder / "dump/same.ppm"));
  folder.refuses({"--layers", "flat", "--out", folder / "none.npy"},
                 "run: --out: flat computes nothing, and what it flattens does not run");
}

TEST_CASE("an output that its file cannot hold is refused before anything is written") {
  const Folder folder(3, kMore);
  const std::string out = folder / "out";
  folder.refuses(
      {"--layers", "many", "--out", out + ".png", "--dump", folder / "dump"},
      out + ".png: a picture has 1 or 3 channels of uint8 or uint16; the output of many is (4, 4, 7) of uint8");
  folder.refuses(
      {"--layers", "signed", "--out", out + ".ppm"},
      out + ".ppm: a picture has 1 or 3 channels of uint8 or uint16; the output of signed is (3, 4, 7) of int8");
  folder.refuses({"--layers", "same", "--out", out + ".pgm"}, out + ".pgm: a .pgm picture has 1 channel, not 3");
  folder.refuses({"--layers", "gray", "--out", out + ".ppm"}, out + ".ppm: a .ppm picture has 3 channels, not 1");
  folder.refuses({"--out", out + ".pnm"},
                 out + ".pnm: no tensor or picture is a .pnm; allowed: .npy, .pgm, .ppm, .png; did you mean '.pgm'?");
  folder.refuses({"--out", out + ".npy", "--timing-only"}, "run: --timing-only computes no values, --out needs them");
  CHECK(test::files_in(folder.path()) == Words{"net.yaml"});
}

TEST_CASE("a picture that is not the network's input is refused with file and reason") {
  using namespace std::string_literals;
  const Folder gray(1), colour(3), coded(1, "", "int8");
  const auto bytes = [&](const std::string& content) { base::write_file(gray / "in.pgm", content); };
  const std::string in = gray / "in.pgm";
  const auto refuses = [&](const std::string& content, const std::string& reason) {
    bytes(content);
    gray.refuses({"--input", in, "--out", gray / "out.pgm"}, in + ": " + reason);
  };
  gray.refuses({"--input", in}, in + ": cannot read: No such file or directory");
  refuses("no picture", "not a PGM, PPM or PNG picture");
  refuses("P1 14 9 1", "P1 is no PGM or PPM, which are P2, P3, P5 and P6");
  refuses("P5 14 9 255\n123", "truncated: expected 126 bytes of samples, found 3");
  refuses("P5 14 9 255\n" + std::string(127, 'a'), "too long: expected 126 bytes of samples, found 127");
  refuses("P5 14 9 65535\n" + std::string(252, 'a'), "has samples of 0 to 65535; the network's input ends at 255");
  refuses("P5 14 9 70000\n" + std::string(252, 'a'), "maxval 70000; allowed: 1 to 65535");
  refuses("P5 0 0 255\n", "has 0 x 0 pixels: none");
  refuses("P5 100000 100000 255\n", "has 100000 x 100000 pixels; allowed: 67108864 in all");
  refuses("P5 9 14 255\n" + std::string(126, 'a'),
          "expected 14 x 9 pixels of 1 channel, as the network's input, found 9 x 14 pixels of 1 channel");
  refuses(std::string("\x89PNG\r\n\x1a\n", 8), "damaged PNG: truncated");
  // These few bytes would unpack to 60 GB: the header says 100,000 x 100,000 pixels of three times 16 bits.
  refuses(
      "\x89PNG\r\n\x1a\n"
      "\x00\x00\x00\x0d"
      "IHDR"
      "\x00\x01\x86\xa0\x00\x01\x86\xa0\x10\x02\x00\x00\x00"
      "\x77\xa0\x40\xdc"
      "\x00\x00\x00\x01"
      "IDAT"s,
      "has 100000 x 100000 pixels; allowed: 67108864 in all");
  CHECK(test::files_in(gray.path()) == Words{"in.pgm", "net.yaml"});

  bytes("P5 14 9 255\n" + std::string(126, 'a'));
  colour.refuses({"--input", in}, in + ": expected 14 x 9 pixels of 3 channels, as the network's input, found 14 x 9 "
                                       "pixels of 1 channel");
  coded.refuses({"--input", in}, in + ": a picture is a map of 1 or 3 channels of uint8 or uint16; the network's input "
                                      "is (1, 9, 14) of int8");
  gray.refuses({"--input", in, "--out", in}, in + ": cannot write: is an input of this command");
}

TEST_CASE("a picture without end is refused") {
  const Folder folder(1);
  ::mkfifo((folder / "in.pgm").c_str(), 0600);
  const auto handler = ::signal(SIGPIPE, SIG_IGN);
  auto endless = std::async(std::launch::async, [&] {
    const int pipe = ::open((folder / "in.pgm").c_str(), O_WRONLY);
    const std::string part(1 << 20, '1');
    while (::write(pipe, part.data(), part.size()) > 0) continue;
    ::close(pipe);
  });
  const Outcome outcome = folder.run({"--input", folder / "in.pgm"});
  ::close(::open((folder / "in.pgm").c_str(), O_RDONLY | O_NONBLOCK));  // ends the writer whatever happened
  endless.get();
  ::signal(SIGPIPE, handler);
  CHECK(outcome.code == 2);
  CHECK(outcome.err == folder / "in.pgm: has more than 268435456 bytes\n");
}

TEST_CASE("an output picture is written as every other output: whole or in place or to standard output or not at all") {
  const Folder folder(1);
  pictures::write_picture(folder / "in.pgm", card(1));
  const auto run = [&](
                       const std::string& out, const Words& more = {}, const std::function<void()>& prepare = [] {}) {
    Words words{"--input", folder / "in.pgm", "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    return folder.run(words, prepare);
  };
  for (const char* name : {"out.pgm", "out.png", "out.npy"}) {
    CAPTURE(name);
    // A full disk is simulated: no file fits into 100 bytes.
    base::write_file(folder / name, "older");
    const Outcome full = run(folder / name, {}, [] {
      const rlimit limit{100, 100};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    });
    CHECK(full.code == 2);
    CHECK_THAT(full.err, Catch::Contains(folder / name + ": cannot write: File too large"));
    CHECK(base::read_file(folder / name) == "older");
    // The target is a link.
    std::filesystem::create_symlink(name, folder / ("link to " + std::string(name)));
    CHECK(run(folder / ("link to " + std::string(name))).code == 0);
    CHECK(std::filesystem::is_symlink(folder / ("link to " + std::string(name))));
    const std::string whole = base::read_file(folder / name);
    CHECK(whole.size() > 100);
    // The target is a pipe.
    std::filesystem::remove(folder / name);
    ::mkfifo((folder / name).c_str(), 0600);
    std::filesystem::create_hard_link(folder / name, folder / "same pipe");
    auto read = std::async(std::launch::async, [&] { return base::read_file(folder / name); });
    CHECK(run(folder / name).code == 0);
    ::close(::open((folder / "same pipe").c_str(), O_WRONLY | O_NONBLOCK));  // ends the reader whatever happened
    CHECK(read.get() == whole);
    std::filesystem::remove(folder / "same pipe");
    // Standard output, and the text then is not.
    std::filesystem::create_symlink("/proc/self/fd/1", folder / ("stdout " + std::string(name)));
    const Outcome piped = run(folder / ("stdout " + std::string(name)));
    CHECK(piped.out == whole);
    CHECK_THAT(piped.err, Catch::Contains("picture on tiny_stream"));
  }
  CHECK(run("-").out.rfind("\x93NUMPY", 0) == 0);
  const Outcome both = run(folder / "x.png", {"--json", folder / "x.png"});
  CHECK(both.code == 2);
  CHECK_THAT(both.err, Catch::Contains("x.png: cannot write: is another output of this command"));
  CHECK(run(folder / "none/x.png").code == 2);
}

}  // namespace fansim::pictures_test
