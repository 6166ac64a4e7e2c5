// SPDX-License-Identifier: Apache-2.0
#include "waveforms/waveform_file.h"

#include <utility>

#include "base/error.h"
#include "waveforms/fst_writer.h"
#include "waveforms/vcd_writer.h"

namespace fansim::waveforms {
namespace {

bool is_fst_name(const std::string& path) { return path.size() > 4 && path.compare(path.size() - 4, 4, ".fst") == 0; }

}  // namespace

WaveformFile::WaveformFile(std::string path, Unit unit, Words words) : path_(std::move(path)), file_(path_) {
  const WaveWriter::Sink sink = [this](std::string_view text) { file_.write(text); };
  if (is_fst_name(path_))
    writer_ = std::make_unique<FstWriter>(sink, unit == Unit::ps ? -12 : -9, words);
  else
    writer_ = std::make_unique<VcdWriter>(sink, unit == Unit::ps ? "1 ps" : "1 ns", words);
}

void WaveformFile::keep() {
  writer_->close();
  if (writer_->begun()) {
    file_.keep();
    return;
  }
  file_.remove_older();
  throw base::UserError(base::Location{path_, 0, 0}, "nothing recorded: the run ends before the window begins");
}

}  // namespace fansim::waveforms
