// SPDX-License-Identifier: Apache-2.0
#include "pictures/picture_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "pictures/png.h"
#include "pictures/pnm.h"

namespace fansim::pictures {
namespace {

std::string suffix_of(const std::string& path) {
  std::string suffix = std::filesystem::path(path).extension().string();
  for (char& c : suffix)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return suffix;
}

}  // namespace

bool is_picture_name(const std::string& path) {
  const std::string suffix = suffix_of(path);
  return suffix == ".pgm" || suffix == ".ppm" || suffix == ".png";
}

Picture read_picture(const std::string& path, std::int64_t most_pixels) {
  const std::string file = base::read_file(path);
  try {
    if (is_png(file)) return decode_png(file, most_pixels);
    if (is_pnm(file)) return decode_pnm(file, most_pixels);
    throw base::UserError("not a PGM, PPM or PNG picture");
  } catch (const base::UserError& error) {
    throw base::UserError(base::Location{path, 0, 0}, error.what());
  }
}

void check_picture_name(const std::string& path, int channels, int maxval) {
  const auto fail = [&](const std::string& text) { throw base::UserError(base::Location{path, 0, 0}, text); };
  const std::string suffix = suffix_of(path);
  if (suffix == ".png") {
    if (maxval != 255 && maxval != 65535)
      fail(fmt::format("a .png picture has 8 or 16 bits; .pgm and .ppm hold samples of 0 to {}", maxval));
  } else if (const int holds = suffix == ".pgm" ? 1 : 3; channels != holds) {
    fail(fmt::format("a {} picture has {} channel{}, not {}", suffix, holds, holds == 1 ? "" : "s", channels));
  }
}

void write_picture(const std::string& path, const Picture& picture) {
  check_picture_name(path, picture.channels, picture.maxval);
  base::write_file(path, suffix_of(path) == ".png" ? encode_png(picture) : encode_pnm(picture));
}

}  // namespace fansim::pictures
