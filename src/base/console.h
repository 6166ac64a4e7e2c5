// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <utility>

// Output that people read. Nothing here throws or ends the process before the requested files are written.
namespace fansim::base {

// To be called before the first output. A closed standard stream is opened, so that its number is not given to a file
// that is opened later. Writing what nobody reads any more, or beyond a limit, becomes an error of the write instead of
// a signal.
void set_up_console();

void print_text(std::string_view text);        // prints to standard output what printable() returns
void print_error_text(std::string_view text);  // prints to standard error and ignores errors

template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

template <class... Arguments>
void print_error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_error_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

// Returns the number of columns if standard output is a terminal, otherwise 0.
std::size_t terminal_columns();

// Writes out what was printed so far, so that it comes before what is written to the same place in another way.
void flush_printed();

// Throws UserError if standard output did not take all that was printed. It is no error if the reader has gone, as with
// `| head`.
void finish_printing();

}  // namespace fansim::base
