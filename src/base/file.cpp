// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"

namespace fansim::base {
namespace {

constexpr std::size_t kPart = std::size_t{1} << 20;

[[noreturn]] void fail(const std::string& path, int error) {
  throw UserError(Location{path, 0, 0}, std::string("cannot read: ") + std::strerror(error));
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) fail(path, errno);
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

std::mutex files_mutex;

std::set<std::pair<dev_t, ino_t>>& files_read() {
  static std::set<std::pair<dev_t, ino_t>> files;
  return files;
}

}  // namespace

std::string read_head(const std::string& path, std::size_t most) {
  const Descriptor file(path);
  std::string head(most, '\0');
  std::size_t size = 0;
  for (ssize_t count = 1; count != 0 && size < most;) {
    count = ::read(file.number(), head.data() + size, most - size);
    if (count < 0 && errno != EINTR) fail(path, errno);
    size += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  head.resize(size);
  return head;
}

namespace {

// Standard input is read once; later calls return the same content.
const std::string& standard_input() {
  static const std::string kContent = [] {
    std::string content(kPart, '\0');
    std::size_t size = 0;
    for (ssize_t count = 1; count != 0;) {
      if (size == kLargestText) throw UserError(Location{"-", 0, 0}, "standard input has no end");
      content.resize(std::min(size + kPart, kLargestText));
      count = ::read(STDIN_FILENO, content.data() + size, content.size() - size);
      if (count < 0 && errno != EINTR) fail("-", errno);
      if (size > kPart) stop_if_interrupted();
      size += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    content.resize(size);
    return content;
  }();
  return kContent;
}

}  // namespace

std::string read_file(const std::string& path, std::size_t most) {
  if (path == "-") return standard_input();
  const Descriptor file(path);
  struct stat facts {};
  if (::fstat(file.number(), &facts) != 0) fail(path, errno);
  if (S_ISDIR(facts.st_mode)) fail(path, EISDIR);
  {
    const std::lock_guard<std::mutex> lock(files_mutex);
    files_read().insert({facts.st_dev, facts.st_ino});
  }
  std::string content;
  // A small file is read in one part. The additional byte shows that the file ends there.
  const auto known = static_cast<std::size_t>(facts.st_size);
  const std::size_t part = known > 0 && known < kPart ? known + 1 : kPart;
  for (std::size_t size = 0;;) {
    if (size == content.size()) content.resize(size + std::clamp<std::size_t>(most - size + 1, 1, part));
    const ssize_t count = ::read(file.number(), content.data() + size, content.size() - size);
    if (count < 0 && errno != EINTR) fail(path, errno);
    // The file may have no end. Callers check for interrupts themselves after smaller files.
    if (size > kPart) stop_if_interrupted();
    size += count > 0 ? static_cast<std::size_t>(count) : 0;
    if (size > most) throw UserError(Location{path, 0, 0}, "has more than " + std::to_string(most) + " bytes");
    if (count != 0) continue;
    content.resize(size);
    return content;
  }
}

bool was_read(const struct stat& file) {
  const std::lock_guard<std::mutex> lock(files_mutex);
  return files_read().count({file.st_dev, file.st_ino}) > 0;
}

bool exists(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0;
}

std::string beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).lexically_normal().string();
}

}  // namespace fansim::base
