// SPDX-License-Identifier: Apache-2.0
#include "base/npy.h"

#include <catch2/catch.hpp>

#include "base/file.h"
#include "support/user_error.h"

namespace fansim::npy_test {

using test::message_of;

namespace {

std::string with_header(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string file("\x93NUMPY", 6);
  file += {static_cast<char>(version), '\0', static_cast<char>(dictionary.size()), '\0'};
  if (version == 2) file += {'\0', '\0'};
  return file + dictionary + data;
}

template <class T>
void round_trip(const std::string& path, const std::vector<T>& values) {
  const base::NpyShape shape{2, static_cast<std::int64_t>(values.size()) / 2};
  base::write_npy(path, shape, values);
  CHECK(base::read_npy<T>(path, shape) == values);
}

}  // namespace

TEST_CASE(".npy files of every element type read back as written") {
  const test::ScratchDirectory dir;
  round_trip<std::int8_t>(dir / "a.npy", {-128, -1, 0, 127});
  round_trip<std::uint8_t>(dir / "a.npy", {0, 1, 254, 255});
  round_trip<std::int16_t>(dir / "a.npy", {-32768, 32767, 0, 258});
  round_trip<std::int32_t>(dir / "a.npy", {INT32_MIN, INT32_MAX, 0, 0x01020304});
}

TEST_CASE("a written .npy file is what numpy writes") {
  const test::ScratchDirectory dir;
  base::write_npy<std::int32_t>(dir / "a.npy", {2}, {1, -2});
  std::string dictionary = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }";
  dictionary.append(117 - dictionary.size(), ' ') += '\n';
  CHECK(base::read_file(dir / "a.npy") == with_header(dictionary, std::string("\1\0\0\0\xfe\xff\xff\xff", 8)));
}

TEST_CASE("versions 1 and 2 are read with scalars of one byte in any byte order and one-dimensional Fortran order") {
  const test::ScratchDirectory dir;
  const std::string dictionary = "{'shape': (3,), 'fortran_order': True, 'descr': '>i1'}\n";
  for (const int version : {1, 2}) {
    base::write_file(dir / "a.npy", with_header(dictionary, "\1\2\3", version));
    CHECK(base::read_npy<std::int8_t>(dir / "a.npy", {3}) == std::vector<std::int8_t>{1, 2, 3});
  }
}

TEST_CASE("a file cut off anywhere is an error and never a crash") {
  const test::ScratchDirectory dir;
  base::write_npy<std::int16_t>(dir / "a.npy", {4}, {1, 2, 3, 4});
  const std::string whole = base::read_file(dir / "a.npy");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    base::write_file(dir / "cut.npy", whole.substr(0, size));
    const std::string message = message_of([&] { base::read_npy<std::int16_t>(dir / "cut.npy", {4}); });
    INFO("bytes: " << size);
    CHECK(message.find(size < 6 ? "not an .npy file" : "truncated") != std::string::npos);
  }
}

TEST_CASE("wrong .npy files say what was expected and what was found") {
  const test::ScratchDirectory dir;
  const std::string path = dir / "a.npy";
  const auto message = [&](const std::string& dictionary, int version = 1) {
    base::write_file(path, with_header(dictionary, "\1\2\3\4", version));
    return message_of([&] { base::read_npy<std::int8_t>(path, {2, 2}); });
  };
  CHECK(message("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 2), }").empty());
  CHECK(message("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }") ==
        path + ": expected int8, found float32");
  CHECK(message("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }") ==
        path + ": expected int8, found uint8");
  CHECK(message("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }") ==
        path + ": expected int8, found '|b1'");
  CHECK(message("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 2), }") ==
        path + ": expected C order, found Fortran order");
  CHECK(message("{'descr': '|i1', 'fortran_order': False, 'shape': (4,), }") ==
        path + ": expected shape (2, 2), found (4,)");
  CHECK(message("{'descr': '|i1', 'shape': (2, 2), }") == path + ": the .npy header is malformed");
  CHECK(message("{'descr': '|i1', 'fortran_order': False, 'shape': (99999999999999, 2), }") ==
        path + ": the .npy header is malformed");
  CHECK(message("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 2), }", 3) ==
        path + ": .npy version 3 is not supported");
  base::write_file(path, with_header("{'descr': '>i4', 'fortran_order': False, 'shape': (1,), }", "\1\2\3\4"));
  CHECK(message_of([&] { base::read_npy<std::int32_t>(path, {1}); }) ==
        path + ": expected int32, found big-endian int32");
  base::write_file(path, with_header("{'descr': '|i1', 'fortran_order': False, 'shape': (1,), }", "\1\2"));
  CHECK(message_of([&] { base::read_npy<std::int8_t>(path, {1}); }) ==
        path + ": too long: expected 1 bytes of data, found 2");
}

}  // namespace fansim::npy_test
