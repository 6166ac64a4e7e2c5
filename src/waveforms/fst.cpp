// SPDX-License-Identifier: Apache-2.0
#include "waveforms/fst.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/error.h"

namespace fansim::waveforms {

bool is_fst_name(const std::string& path) { return path.size() > 4 && path.compare(path.size() - 4, 4, ".fst") == 0; }

std::string find_fst_converter(const std::string& wanted) {
  const char* variable = std::getenv("PATH");
  const std::string path = variable ? variable : "";
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t colon = std::min(path.find(':', at), path.size());
    const std::string file = path.substr(at, colon - at) + "/vcd2fst";
    if (::access(file.c_str(), X_OK) == 0) return file;
    at = colon + 1;
  }
  throw base::UserError(base::Location{wanted, 0, 0},
                        "FST is made by GTKWave's vcd2fst, which PATH does not have; name it .vcd");
}

void convert_to_fst(const std::string& converter, const std::string& vcd, const std::string& fst,
                    const std::string& wanted) {
  const char* arguments[] = {converter.c_str(), vcd.c_str(), fst.c_str(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int output : {STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  int status = ::posix_spawn(&child, converter.c_str(), &actions, nullptr, const_cast<char**>(arguments), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (status == 0)
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  if (status != 0 || ::access(fst.c_str(), R_OK) != 0)
    throw base::UserError(base::Location{wanted, 0, 0}, converter + " failed");
}

}  // namespace fansim::waveforms
