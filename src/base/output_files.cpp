// SPDX-License-Identifier: Apache-2.0
#include "base/output_files.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/console.h"
#include "base/error.h"
#include "base/file.h"
#include "base/own_name.h"

namespace fansim::base {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kPermissions = 07777;

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw UserError(Location{path == "-" ? "standard output" : path, 0, 0},
                  std::string("cannot write: ") + std::strerror(error));
}

using Facts = std::optional<struct stat>;

// Returns the facts of what the links lead to, or nothing if it is not there yet.
Facts facts_of(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0) return facts;
  if (errno != ENOENT) cannot_write(path, errno);
  return std::nullopt;
}

bool same(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// Returns the descriptor of the standard stream, or of another open one, that the path names: what is written there
// already must not be replaced. Returns -1 if there is none, and for a terminal or other device, which is the same
// however often it is opened.
int open_descriptor(const std::string& path, const Facts& facts) {
  if (path == "-") return STDOUT_FILENO;
  if (!facts || S_ISCHR(facts->st_mode)) return -1;
  int named = -1;
  if (std::sscanf(path.c_str(), "/dev/fd/%d", &named) != 1) std::sscanf(path.c_str(), "/proc/self/fd/%d", &named);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO, named}) {
    struct stat open {};
    if (::fstat(descriptor, &open) == 0 && same(*facts, open)) return descriptor;
  }
  return -1;
}

// Follows the links at the end of the path to the file that exists or shall exist.
std::string followed(const std::string& path) {
  constexpr int kMostLinks = 40;
  fs::path target = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code none;
    const fs::path next = fs::read_symlink(target, none);
    if (none) return target.string();
    target = target.parent_path() / next;
  }
  cannot_write(path, ELOOP);
}

// Returns the same text for one file under two names. A file that is not there yet is told by its folder.
std::string identity(const std::string& path) {
  std::error_code none;
  const fs::path target = followed(path);
  const fs::path folder = fs::canonical(target.has_parent_path() ? target.parent_path() : ".", none);
  return (folder / target.filename()).string();
}

bool is_same_file(const std::string& a, const std::string& b) {
  const Facts first = facts_of(a), second = facts_of(b);
  return (first && second && same(*first, *second)) || identity(a) == identity(b);
}

bool in_place(const std::string& path, const Facts& facts) {
  return open_descriptor(path, facts) >= 0 || (facts && !S_ISREG(facts->st_mode));
}

void refuse_input(const std::string& path, const Facts& facts) {
  if (facts && S_ISREG(facts->st_mode) && was_read(*facts))
    throw UserError(Location{path, 0, 0}, "cannot write: is an input of this command");
}

void check(const std::string& path) {
  const Facts facts = path == "-" ? std::nullopt : facts_of(path);
  refuse_input(path, facts);
  if (!in_place(path, facts)) {
    const OutputFile probe(path);
    return;
  }
  if (facts && S_ISDIR(facts->st_mode)) cannot_write(path, EISDIR);
  // A pipe is not opened, because that would wait for its reader.
  if (open_descriptor(path, facts) < 0 && ::access(path.c_str(), W_OK) != 0) cannot_write(path, errno);
}

// Copies the content. Returns an errno, or 0. If there is no room for all of it, nothing is changed.
int overwrite(int from, int to) {
  struct stat older = {};
  struct stat newer = {};
  if (::fstat(to, &older) != 0 || ::fstat(from, &newer) != 0) return errno;
  const int full = newer.st_size > older.st_size ? ::posix_fallocate(to, 0, newer.st_size) : 0;
  if (full != 0) return ::ftruncate(to, older.st_size) == 0 ? full : errno;
  for (off_t left = newer.st_size; left > 0;) {
    const ssize_t sent = ::sendfile(to, from, nullptr, static_cast<std::size_t>(left));
    if (sent <= 0) return sent < 0 ? errno : EIO;
    left -= sent;
  }
  return ::ftruncate(to, newer.st_size) == 0 ? 0 : errno;
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  const Facts facts = path_ == "-" ? std::nullopt : facts_of(path_);
  if (facts && S_ISDIR(facts->st_mode)) fail(EISDIR);
  if (!in_place(path_, facts)) {
    // A file that its owner protects must not be replaced, even if its folder allows it.
    if (facts && ::access(path_.c_str(), W_OK) != 0) fail(errno);
    target_ = followed(path_);
    open_temporary();
    // Owner and mode are kept as far as the file system and this process's rights allow. The owner comes first, since
    // setting it resets some bits of the mode.
    [[maybe_unused]] const bool kept = facts && ::fchown(descriptor_, facts->st_uid, facts->st_gid) == 0;
    if (facts) ::fchmod(descriptor_, facts->st_mode & kPermissions);
    return;
  }
  const int open = open_descriptor(path_, facts);
  flush_printed();
  descriptor_ = open >= 0 ? ::dup(open) : ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail(errno);
}

void OutputFile::open_temporary() {
  remove_stale(target_);
  Own own = make_own_file(target_);
  if (own.descriptor < 0) fail(errno);
  temporary_ = std::move(own.name);
  descriptor_ = own.descriptor;
  lock_ = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (replaces()) ::unlink(temporary_.c_str());
  if (lock_ >= 0) ::close(lock_);
}

void OutputFile::fail(int error) const { cannot_write(path_, error); }

void OutputFile::write(std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor_, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    // It is no error if the reader of standard output has gone.
    if (written < 0 && errno == EPIPE && is_standard_output(path_)) return;
    if (written < 0) fail(errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Some file systems report an error only here.
void OutputFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

bool OutputFile::keep_if_none() {
  close();
  if (::link(temporary_.c_str(), target_.c_str()) == 0) return true;
  if (errno != EEXIST) fail(errno);
  return false;
}

void OutputFile::keep() {
  close();
  if (!replaces()) return;
  const Facts facts = facts_of(target_);
  if (facts && facts->st_nlink > 1) {
    copy();
    return;
  }
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

// A file with several names keeps them all. It therefore gets the content, and the new file vanishes.
void OutputFile::copy() const {
  const int from = ::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
  const int to = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  const int error = from < 0 || to < 0 ? errno : overwrite(from, to);
  ::close(from);
  ::close(to);
  if (error != 0) fail(error);
}

void OutputFile::remove_older() {
  if (replaces()) ::unlink(target_.c_str());
}

void write_file(const std::string& path, std::string_view content) {
  OutputFile file(path);
  file.write(content);
  file.keep();
}

bool is_standard_output(const std::string& path) {
  return !path.empty() && open_descriptor(path, path == "-" ? std::nullopt : facts_of(path)) == STDOUT_FILENO;
}

void check_outputs(const std::vector<std::string>& paths) {
  std::vector<std::string> seen;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    check(path);
    if (path == "-" || in_place(path, facts_of(path))) continue;
    for (const std::string& other : seen)
      if (is_same_file(other, path))
        throw UserError(Location{path, 0, 0}, "cannot write: is another output of this command");
    seen.push_back(path);
  }
}

void prepare_folder(const std::string& path, const std::vector<std::string>& names) {
  if (path.empty()) return;
  std::error_code error;
  fs::create_directories(path, error);
  if (error) cannot_write(path, error.value());
  for (const std::string& name : names) check(path + "/" + name);
}

}  // namespace fansim::base
