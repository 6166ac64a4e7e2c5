// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/line_buffer.h"

#include "cosim/array.h"
#include "cosim/lane.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 4;

// Random fills and passes. Lines that no fill of the job has written are not compared: what they keep of an older job
// means nothing and meets zero weights.
template <class Model>
class LineBufferLane final : public Lane<Model> {
 public:
  LineBufferLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        array_(array_of(p)),
        input_(this->random),
        hidden_(this->random),
        command((name + "_command").c_str()),
        columns((name + "_columns").c_str()),
        block_(name.c_str(), array_, input_, hidden_) {
    if (p.get("BLOCK", 0)) this->plant_port_fault();
    block_.command(command);
    block_.columns(columns);
    const int word = array_.input_channels, rows = array_.rows;
    this->input(
        COSIM_INPUT(command),
        [](Model& m, const stream::LineCommand& item, const auto& field) {
          const stream::Command& job = *item.job;
          const int address = job.fill_base + item.block * job.fill_block_step + item.line * job.fill_line_step;
          field("fill", 0, m.command_fill, 0, 1, item.fill);
          field("zero_state", 0, m.command_zero_state, 0, 1, item.zero_state);
          field("address", 0, m.command_address, 0, 28, static_cast<std::uint64_t>(address));
          field("lines", 0, m.command_lines, 0, 4, static_cast<std::uint64_t>(item.lines));
        },
        left_, [this](stream::LineCommand& item) { make(item); });
    this->output(COSIM_OUTPUT(columns), [=](Model& m, const stream::Column& item, const auto& field) {
      const int lines = lines_of_column_[static_cast<std::size_t>(columns.pops())];
      for (int i = (rows - lines) * word; i < rows * word; ++i)
        field("bytes", i, m.columns_bytes, 8 * i, 8, item.bytes[static_cast<std::size_t>(i)]);
    });
    const auto request = [word](Model& m, bool enable) {
      return enable ? std::optional<Read>({m.read_target, static_cast<int>(m.read_address) * word}) : std::nullopt;
    };
    const auto drive = [word](auto& port, const std::uint8_t* data) {
      for (int i = 0; i < word; ++i) put_bits(port, 8 * i, 8, data[i]);
    };
    this->reads(
        "input_read", input_, stream::ArrayConfig::bram_read_latency(),
        [=](Model& m) { return request(m, m.input_read_enable); },
        [=](Model& m, const std::uint8_t* data) { drive(m.input_read_data, data); });
    this->reads(
        "hidden_read", hidden_, stream::ArrayConfig::bram_read_latency(),
        [=](Model& m) { return request(m, m.hidden_read_enable); },
        [=](Model& m, const std::uint8_t* data) { drive(m.hidden_read_data, data); });
  }

 private:
  void make(stream::LineCommand& item) {
    item = {};
    item.job = &job_;
    item.fill =
        left_ > 0 && (lines_ == 0 || this->random.chance(30));  // a pass ends the phase, so that it is not quiet
    if (item.fill) {
      item.zero_state = this->random.chance(50);
      item.block = this->random.uniform(0, 3);
      item.line = this->random.uniform(0, 5);
      item.lines = this->random.uniform(1, array_.rows);
      lines_ = std::min(array_.rows, lines_ + item.lines);
    } else {
      lines_of_column_.insert(lines_of_column_.end(), static_cast<std::size_t>(job_.columns), lines_);
    }
  }

  void next_phase() override {
    base::Random& draw = this->random;
    const bool pieces = draw.chance(40);
    const int widest = draw.chance(80) ? 16 : array_.line_columns;
    job_.fill_pieces = pieces ? draw.uniform(1, 4) : 1;
    job_.fill_columns = draw.uniform(1, widest / job_.fill_pieces);
    job_.columns = job_.fill_columns * job_.fill_pieces;
    job_.fill_piece_step = draw.uniform(0, 300);
    job_.fill_line_step = draw.uniform(0, 300);
    job_.fill_block_step = draw.uniform(0, 900);
    job_.fill_base = draw.uniform(0, 500);
    job_.input_select = draw.uniform(0, 1);
    job_.hidden_input = draw.chance(30);
    lines_ = 0;
    left_ = draw.uniform(3, 20);
  }

  void drive_levels(Model& m) override {
    m.job_columns = static_cast<SData>(job_.columns);
    m.job_fill_columns = static_cast<SData>(job_.fill_columns);
    m.job_fill_piece_step = static_cast<IData>(job_.fill_piece_step);
    m.job_fill_line_step = static_cast<IData>(job_.fill_line_step);
    m.job_hidden_input = job_.hidden_input != 0;
    m.job_input_select = job_.input_select != 0;
  }

  const stream::ArrayConfig array_;
  Memory input_, hidden_;
  sim::Stream<stream::LineCommand> command;
  sim::Stream<stream::Column> columns;
  stream::LineBuffer block_;
  stream::Command job_;
  int left_ = 0;
  int lines_ = 0;  // filled by this job
  std::vector<int> lines_of_column_;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<LineBufferLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
