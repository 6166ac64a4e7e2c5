// SPDX-License-Identifier: Apache-2.0
#include "base/own_name.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <set>

namespace fansim::base {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongest = 225;  // the longest file name that file systems take, less what is appended

fs::path stem(const fs::path& path) { return path.parent_path() / path.filename().string().substr(0, kLongest); }

// Returns whether `rest`, the part of a name after the stem, marks a name of ours.
bool is_own(const std::string& rest) {
  int process = 0, number = 0, end = 0;
  const int read = std::sscanf(rest.c_str(), ".%d.%d.tmp%n", &process, &number, &end);
  return read == 2 && static_cast<std::size_t>(end) == rest.size() && process > 0;
}

bool lock(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

// Locks a new file or folder. Returns false if a process that removes stale names locked it first: that process removes
// it.
bool keep(int descriptor) {
  if (!lock(descriptor) && errno == EWOULDBLOCK) return false;
  struct stat facts {};
  return ::fstat(descriptor, &facts) == 0 && facts.st_nlink > 0;
}

// Calls `make` with one name after the other. `make` returns a descriptor, or -1 with an errno, which is EEXIST if
// another name is to be tried.
template <class Make>
Own make_own(const std::string& path, const Make& make) {
  for (int n = 0;; ++n) {
    Own own{fmt::format("{}.{}.{}.tmp", stem(path).string(), ::getpid(), n), -1};
    own.descriptor = make(own.name.c_str());
    if (own.descriptor >= 0 && keep(own.descriptor)) return own;
    if (own.descriptor < 0 && errno != EEXIST) return own;
    if (own.descriptor >= 0) ::close(own.descriptor);
  }
}

// Opens a file or folder that may be stale; returns -1 if that fails.
int open_left(const char* path) {
  constexpr int kFlags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int written = ::open(path, O_RDWR | kFlags);  // network file systems lock only files that are open for writing
  return written >= 0 ? written : ::open(path, O_RDONLY | kFlags);
}

void remove_if_left(const fs::path& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0 || facts.st_uid != ::geteuid()) return;
  const int descriptor = open_left(path.c_str());
  if (descriptor < 0) return;
  std::error_code ignored;
  if (lock(descriptor)) fs::remove_all(path, ignored);
  ::close(descriptor);
}

bool first_time(const std::string& path) {
  static std::mutex mutex;
  static std::set<std::string> asked;
  const std::lock_guard<std::mutex> lock(mutex);
  return asked.insert(path).second;
}

}  // namespace

Own make_own_file(const std::string& path) {
  return make_own(path, [](const char* name) { return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
}

Own make_own_folder(const std::string& path) {
  constexpr mode_t kPrivate = 0700;
  return make_own(path, [](const char* name) {
    if (::mkdir(name, kPrivate) != 0) return -1;
    const int descriptor = ::open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0 && errno == ENOENT) errno = EEXIST;  // another process took it for stale and removed it
    return descriptor;
  });
}

void remove_stale(const std::string& path) {
  if (!first_time(path)) return;
  const fs::path begin = stem(path);
  const std::string name = begin.filename().string();
  std::error_code ignored;
  for (fs::directory_iterator at(begin.has_parent_path() ? begin.parent_path() : ".", ignored), end; at != end;
       at.increment(ignored)) {
    const std::string found = at->path().filename().string();
    if (found.compare(0, name.size(), name) == 0 && is_own(found.substr(name.size()))) remove_if_left(at->path());
  }
}

}  // namespace fansim::base
