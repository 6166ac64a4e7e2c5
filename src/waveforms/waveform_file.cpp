// SPDX-License-Identifier: Apache-2.0
#include "waveforms/waveform_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "waveforms/fst.h"

namespace fansim::waveforms {
namespace {

constexpr int kPipe = 1 << 20;

// Overwrites text[begin, end) with `with` and spaces, line ends kept.
void overwrite(std::string& text, std::size_t begin, std::size_t end, const std::string& with = {}) {
  for (std::size_t i = begin; i < end; ++i) {
    if (i - begin < with.size())
      text[i] = with[i - begin];
    else if (text[i] != '\n')
      text[i] = ' ';
  }
}

// SystemC says in a comment when its initial values are from; viewers take them for values at time 0. As a time stamp
// it lets them open where the recording begins.
void stamp_initial_values(std::string& head) {
  const std::size_t comment = head.find("$comment");
  const std::size_t end = head.find("$end", comment);
  const std::size_t at = head.find("= ", comment);
  if (comment == std::string::npos || end == std::string::npos || at > end) return;
  const std::size_t digits = at + std::strlen("= ");
  const std::string time = head.substr(digits, head.find_first_not_of("0123456789", digits) - digits);
  overwrite(head, comment, end + std::strlen("$end"), "#" + time);
}

// SystemC writes the date into its header; the same run shall give the same bytes.
void tidy(std::string& head) {
  const std::size_t date = head.find("$date");
  const std::size_t end = head.find("$end", date);
  if (date == std::string::npos || end == std::string::npos) return;
  overwrite(head, date + std::strlen("$date"), end);
  stamp_initial_values(head);
}

}  // namespace

WaveformFile::WaveformFile(std::string path)
    : path_(std::move(path)), converter_(is_fst_name(path_) ? find_fst_converter(path_) : ""), file_(path_) {
  if (!converter_.empty()) plain_.emplace(plain_name());
  pipe_ = folder_.path() + "/w.vcd";
  const bool made = ::mkfifo(pipe_.c_str(), 0600) == 0;
  // Reading first, since a writer waits for a reader; and a writer of its own, since without any the pipe has ended.
  if (made) reading_ = ::open(pipe_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (reading_ >= 0) writing_ = ::open(pipe_.c_str(), O_WRONLY | O_CLOEXEC);
  if (writing_ < 0) {
    const int error = errno;
    ::close(reading_);
    throw base::UserError(base::Location{pipe_, 0, 0}, std::string("cannot make a pipe: ") + std::strerror(error));
  }
  ::fcntl(reading_, F_SETFL, 0);
  ::fcntl(reading_, F_SETPIPE_SZ, kPipe);
  relay_ = std::thread([this] { relay(); });
}

WaveformFile::~WaveformFile() { finish(); }

void WaveformFile::finish() {
  if (writing_ < 0) return;
  ::close(writing_);
  writing_ = -1;
  relay_.join();
}

void WaveformFile::relay() {
  // Signals are for the thread that simulates.
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::array<char, 1 << 16> part;
  try {
    for (ssize_t count = 1; count != 0;) {
      count = ::read(reading_, part.data(), part.size());
      if (count < 0) throw base::UserError(base::Location{path_, 0, 0}, "cannot write: the pipe broke");
      if (count > 0) pass_on({part.data(), static_cast<std::size_t>(count)});
    }
    vcd().write(head_ + words_.rest());
  } catch (...) {
    failure_ = std::current_exception();
    failed_ = true;
  }
  ::close(reading_);  // after a failure every write fails at once
}

void WaveformFile::pass_on(const std::string& part) {
  if (!recorded_) {
    head_ += part;
    if (head_.find("$dumpvars") == std::string::npos) return;
    tidy(head_);
    recorded_ = true;
    vcd().write(words_.head(std::exchange(head_, {})));
    return;
  }
  vcd().write(words_.body(part));
}

void WaveformFile::check() const {
  if (failed_) std::rethrow_exception(failure_);
}

void WaveformFile::convert() {
  const std::string fst = folder_.path() + "/converted.fst";
  plain_->keep();
  convert_to_fst(converter_, plain_name(), fst, path_);
  file_.write(base::read_file(fst, std::numeric_limits<std::size_t>::max()));
}

void WaveformFile::keep() {
  finish();
  check();
  if (recorded_) {
    if (plain_) convert();
    file_.keep();
    return;
  }
  file_.remove_older();
  throw base::UserError(base::Location{path_, 0, 0}, "nothing recorded: the run ends before the window begins");
}

}  // namespace fansim::waveforms
