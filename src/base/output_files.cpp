// SPDX-License-Identifier: Apache-2.0
#include "base/output_files.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/error.h"

namespace fansim::base {
namespace {

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw UserError(Location{path, 0, 0}, std::string("cannot write: ") + std::strerror(error));
}

// Overwrites text[begin, end) with `with` and spaces, line ends kept.
void overwrite(std::string& text, std::size_t begin, std::size_t end, const std::string& with = {}) {
  for (std::size_t i = begin; i < end; ++i) {
    if (i - begin < with.size())
      text[i] = with[i - begin];
    else if (text[i] != '\n')
      text[i] = ' ';
  }
}

// SystemC says in a comment when its initial values are from; viewers take them for values at time 0. As a time stamp
// it lets them open where the recording begins.
void stamp_initial_values(std::string& head) {
  const std::size_t comment = head.find("$comment");
  const std::size_t end = head.find("$end", comment);
  const std::size_t at = head.find("= ", comment);
  if (comment == std::string::npos || end == std::string::npos || at > end) return;
  const std::size_t digits = at + std::strlen("= ");
  const std::string time = head.substr(digits, head.find_first_not_of("0123456789", digits) - digits);
  overwrite(head, comment, end + std::strlen("$end"), "#" + time);
}

// SystemC writes the date into its header; the same run shall give the same bytes.
void tidy_header(const std::string& path) {
  constexpr std::size_t kHeader = 1 << 18;
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  std::string head(kHeader, '\0');
  file.read(head.data(), static_cast<std::streamsize>(kHeader));
  head.resize(static_cast<std::size_t>(file.gcount()));
  file.clear();
  const std::size_t date = head.find("$date");
  const std::size_t end = head.find("$end", date);
  if (date == std::string::npos || end == std::string::npos) return;
  overwrite(head, date + std::strlen("$date"), end);
  stamp_initial_values(head);
  file.seekp(0);
  file.write(head.data(), static_cast<std::streamsize>(head.size()));
}

}  // namespace

void check_writable(const std::string& path) {
  if (path.empty()) return;
  if (std::filesystem::is_directory(path)) cannot_write(path, EISDIR);
  std::string probe = path + ".XXXXXX";
  const int descriptor = ::mkstemp(probe.data());
  if (descriptor < 0) cannot_write(path, errno);
  ::close(descriptor);
  ::unlink(probe.c_str());
}

void prepare_folder(const std::string& path) {
  if (path.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) cannot_write(path, error.value());
  check_writable(path + "/layer.npy");
}

WaveformFile::WaveformFile(std::string path) : path_(std::move(path)) {
  check_writable(path_);
  temporary_ = path_ + "." + std::to_string(::getpid()) + ".vcd";
}

WaveformFile::~WaveformFile() { ::unlink(temporary_.c_str()); }

bool WaveformFile::keep() {
  if (!std::filesystem::exists(temporary_)) return false;
  tidy_header(temporary_);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) cannot_write(path_, errno);
  return true;
}

}  // namespace fansim::base
