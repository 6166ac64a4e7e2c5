// SPDX-License-Identifier: Apache-2.0
#include "pictures/png.h"

#include <png.h>

#include <csetjmp>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "base/error.h"
#include "pictures/size.h"

namespace fansim::pictures {
namespace {

void on_error(png_structp png, png_const_charp text) {
  *static_cast<std::string*>(png_get_error_ptr(png)) = text;
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

// Calls functions of libpng. Returns false if one of them has failed. A failure leaves `calls` by a jump, so it must
// have no objects of its own.
template <class Calls>
bool succeeds(png_structp png, const Calls& calls) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  calls();
  return true;
}

// Lifts libpng's own limits, so that check_size reports a picture that is too large.
void lift_limits(png_structp png) { png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); }

class PngDecoder {
 public:
  explicit PngDecoder(std::string_view file)
      : rest_(file), png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, &error_, on_error, on_warning)) {
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
    if (!info_) throw std::bad_alloc();
    png_set_read_fn(png_, &rest_, take);
    lift_limits(png_);
    // Texts and profiles would take memory, and nobody reads them.
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  }
  ~PngDecoder() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;

  Picture decode(std::int64_t most_pixels) {
    call([this] { png_read_info(png_, info_); });
    const std::int64_t width = png_get_image_width(png_, info_), height = png_get_image_height(png_, info_);
    check_size(width, height, most_pixels);
    const int colour = png_get_color_type(png_, info_);
    if ((colour & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png_, info_, PNG_INFO_tRNS) != 0)
      throw base::UserError("has transparent pixels (alpha), which have no one value; save it without");
    const int depth = png_get_bit_depth(png_, info_);
    Picture picture;
    picture.width = static_cast<int>(width);
    picture.height = static_cast<int>(height);
    picture.channels = (colour & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1;
    picture.maxval = depth == 16 ? 65535 : 255;
    picture.samples.resize(picture.sample_count());
    call([&] { read(picture); });
    if (depth < 16)
      for (std::uint16_t& sample : picture.samples) sample >>= 8;
    return picture;
  }

 private:
  static void take(png_structp png, png_bytep to, std::size_t size) {
    auto& rest = *static_cast<std::string_view*>(png_get_io_ptr(png));
    if (rest.size() < size) png_error(png, "truncated");
    std::memcpy(to, rest.data(), size);
    rest.remove_prefix(size);
  }

  template <class Calls>
  void call(const Calls& calls) {
    if (!succeeds(png_, calls)) throw base::UserError("damaged PNG: " + error_);
  }

  // Reads all samples as 16 bits to their final place. Samples of 8 bits get their byte twice.
  void read(Picture& picture) {
    png_set_expand_16(png_);
    png_set_swap(png_);
    const int passes = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    if (png_get_rowbytes(png_, info_) != picture.row_samples() * 2) png_error(png_, "rows of another size");
    for (int pass = 0; pass < passes; ++pass) {
      for (std::uint16_t* row = picture.samples.data(); row != picture.samples.data() + picture.samples.size();
           row += picture.row_samples())
        png_read_row(png_, reinterpret_cast<png_bytep>(row), nullptr);
    }
    png_read_end(png_, nullptr);
  }

  std::string error_;
  std::string_view rest_;
  png_structp png_;
  png_infop info_ = nullptr;
};

class Encoder {
 public:
  Encoder() : png_(png_create_write_struct(PNG_LIBPNG_VER_STRING, &error_, on_error, on_warning)) {
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
    if (!info_) throw std::bad_alloc();
    png_set_write_fn(
        png_, &file_,
        [](png_structp png, png_bytep bytes, std::size_t size) {
          static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), size);
        },
        nullptr);
    lift_limits(png_);
  }
  ~Encoder() { png_destroy_write_struct(&png_, &info_); }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  std::string encode(const Picture& picture) {
    std::vector<png_byte> row(picture.row_samples() * static_cast<std::size_t>(picture.bits()) / 8);
    if (!succeeds(png_, [&] { write(picture, row.data()); })) throw std::logic_error("png: " + error_);
    return std::move(file_);
  }

 private:
  void write(const Picture& picture, png_bytep row) {
    png_set_IHDR(png_, info_, static_cast<png_uint_32>(picture.width), static_cast<png_uint_32>(picture.height),
                 picture.bits(), picture.channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png_, info_);
    const std::uint16_t* sample = picture.samples.data();
    for (int y = 0; y < picture.height; ++y) {
      png_bytep to = row;
      for (std::size_t i = 0; i < picture.row_samples(); ++i, ++sample) {
        if (picture.bits() == 16) *to++ = static_cast<png_byte>(*sample >> 8);
        *to++ = static_cast<png_byte>(*sample & 0xff);
      }
      png_write_row(png_, row);
    }
    png_write_end(png_, nullptr);
  }

  std::string error_, file_;
  png_structp png_;
  png_infop info_ = nullptr;
};

}  // namespace

bool is_png(std::string_view file) { return file.substr(0, 4) == "\x89PNG"; }

Picture decode_png(std::string_view file, std::int64_t most_pixels) { return PngDecoder(file).decode(most_pixels); }

std::string encode_png(const Picture& picture) { return Encoder().encode(picture); }

}  // namespace fansim::pictures
