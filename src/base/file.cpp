// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace fansim::base {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw UserError(Location{path, 0, 0}, std::string(what) + ": " + std::strerror(error));
}

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// A new file made by mkstemp is private; give it what an ordinary new file gets.
mode_t default_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

std::string read_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) fail(path, "cannot read", EISDIR);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  if (!in) fail(path, "cannot read", errno);
  if (in.peek() != std::ifstream::traits_type::eof()) content << in.rdbuf();
  if (in.bad() || content.bad()) fail(path, "cannot read", EIO);
  return content.str();
}

void write_file(const std::string& path, std::string_view content) {
  std::string temporary = path + ".XXXXXX";
  const int descriptor = ::mkstemp(temporary.data());
  if (descriptor < 0) fail(path, "cannot write", errno);
  bool good = write_all(descriptor, content) && ::fchmod(descriptor, default_mode()) == 0;
  int error = errno;
  if (::close(descriptor) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good && std::rename(temporary.c_str(), path.c_str()) != 0) {
    good = false;
    error = errno;
  }
  if (!good) {
    ::unlink(temporary.c_str());
    fail(path, "cannot write", error);
  }
}

std::string beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).lexically_normal().string();
}

}  // namespace fansim::base
