// SPDX-License-Identifier: Apache-2.0
#include "base/console.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "base/text.h"

namespace fansim::base {
namespace {

int first_error = 0;  // errno of the first failed write to standard output

void put(std::FILE* stream, std::string_view text, int& error) {
  if (std::fwrite(text.data(), 1, text.size(), stream) < text.size() && error == 0) error = errno;
}

}  // namespace

void set_up_console() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // open() takes the lowest descriptor that is free. The descriptor is opened for the opposite direction only, so that
  // using it stays an error.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0) ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void print_text(std::string_view text) { put(stdout, printable(text), first_error); }

void print_error_text(std::string_view text) {
  int ignored = 0;
  put(stderr, printable(text), ignored);
}

std::size_t terminal_columns() {
  struct winsize size {};
  if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

void flush_printed() {
  if (std::fflush(stdout) != 0 && first_error == 0) first_error = errno;
}

void finish_printing() {
  flush_printed();
  // Some file systems say what went wrong only when a descriptor is closed.
  if (::close(::dup(STDOUT_FILENO)) != 0 && first_error == 0) first_error = errno;
  if (first_error != 0 && first_error != EPIPE)
    throw UserError(Location{"standard output", 0, 0}, std::string("cannot write: ") + std::strerror(first_error));
}

}  // namespace fansim::base
