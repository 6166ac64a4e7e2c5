// SPDX-License-Identifier: Apache-2.0
#include "cli/output_files.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/error.h"

namespace fansim::cli {
namespace {

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw base::UserError(base::Location{path, 0, 0}, std::string("cannot write: ") + std::strerror(error));
}

// SystemC writes the date into its header; the same run shall give the same bytes.
void blank_date(const std::string& path) {
  constexpr std::size_t kHeader = 512;
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  std::string head(kHeader, '\0');
  file.read(head.data(), static_cast<std::streamsize>(kHeader));
  head.resize(static_cast<std::size_t>(file.gcount()));
  file.clear();
  const std::size_t date = head.find("$date");
  const std::size_t end = head.find("$end", date);
  if (date == std::string::npos || end == std::string::npos) return;
  for (std::size_t i = date + 5; i < end; ++i) {
    if (head[i] != '\n') head[i] = ' ';
  }
  file.seekp(0);
  file.write(head.data(), static_cast<std::streamsize>(end));
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
  blank_date(temporary_);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) cannot_write(path_, errno);
  return true;
}

}  // namespace fansim::cli
