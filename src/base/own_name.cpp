// SPDX-License-Identifier: Apache-2.0
#include "base/own_name.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace fansim::base {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongest = 225;  // what file systems take, less what is appended

fs::path stem(const fs::path& path) { return path.parent_path() / path.filename().string().substr(0, kLongest); }

bool runs(pid_t process) { return ::kill(process, 0) == 0 || errno != ESRCH; }

// The process in the rest of a name; 0: none.
pid_t owner(const std::string& rest) {
  int process = 0, number = 0, end = 0;
  const int read = std::sscanf(rest.c_str(), ".%d.%d.tmp%n", &process, &number, &end);
  return read == 2 && static_cast<std::size_t>(end) == rest.size() && process > 0 ? process : 0;
}

}  // namespace

std::string make_own(const std::string& path, const std::function<bool(const std::string&)>& make) {
  for (int n = 0;; ++n) {
    const std::string name = fmt::format("{}.{}.{}.tmp", stem(path).string(), ::getpid(), n);
    if (make(name)) return name;
    if (errno != EEXIST) return "";
  }
}

void remove_stale(const std::string& path) {
  const fs::path begin = stem(path);
  const std::string name = begin.filename().string();
  std::error_code ignored;
  for (fs::directory_iterator at(begin.has_parent_path() ? begin.parent_path() : ".", ignored), end; at != end;
       at.increment(ignored)) {
    const std::string found = at->path().filename().string();
    if (found.compare(0, name.size(), name) != 0) continue;
    const pid_t process = owner(found.substr(name.size()));
    struct stat facts {};
    const bool ours = ::lstat(at->path().c_str(), &facts) == 0 && facts.st_uid == ::geteuid();
    if (process > 0 && ours && !runs(process)) fs::remove_all(at->path(), ignored);
  }
}

}  // namespace fansim::base
