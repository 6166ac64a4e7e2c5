// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <utility>

// What people read. Nothing here throws or ends the process before the files are written that were asked for.
namespace fansim::base {

// Before the first output: a standard stream that is closed takes no file that is opened later, and what nobody reads
// any more or what exceeds a limit is an error of the write, no signal.
void set_up_console();

void print_text(std::string_view text);        // as printable() has it, to standard output
void print_error_text(std::string_view text);  // to standard error; nothing is left to do where that fails

template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

template <class... Arguments>
void print_error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_error_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

// Columns of the terminal that standard output is; 0: it is none.
std::size_t terminal_columns();

// What was printed comes before what is written to the same place in another way.
void flush_printed();

// UserError if standard output did not take all that was printed. A reader that has gone, as of `| head`, has what it
// wanted.
void finish_printing();

}  // namespace fansim::base
