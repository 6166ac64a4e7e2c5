// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/output_store.h"

#include <array>
#include <optional>

#include "cosim/lane.h"
#include "cosim/payload.h"
#include "twins.h"

namespace fansim::cosim {
namespace {

constexpr int kFaults = 3;

struct Write {
  int half, offset;
  std::vector<std::uint8_t> bytes;
};

// Records what the store did at an edge, and what it wrote at the two edges before.
struct Buffer final : sim::WritePort {
  bool writable(int) const override { return true; }
  void write(int target, int offset, const std::uint8_t* data, int bytes) override {
    now = Write{target, offset, {data, data + bytes}};
  }
  void complete(int target) override { completed = target; }
  void next_edge() {
    before = {now, before[0]};
    now.reset();
    completed.reset();
  }
  std::optional<Write> now;
  std::array<std::optional<Write>, 2> before;
  std::optional<int> completed;
};

// A phase is a job: its pixels, in any order, and some beyond the tile.
template <class Model>
class OutputStoreLane final : public Lane<Model> {
 public:
  OutputStoreLane(const std::string& name, const Parameters& p)
      : Lane<Model>(name, p, kFaults),
        array_(array_of(p)),
        map((name + "_map").c_str()),
        hidden((name + "_hidden").c_str()),
        tiles((name + "_tiles").c_str()),
        store_(name.c_str(), array_, buffer_) {
    store_.map(map);
    store_.hidden(hidden);
    store_.tiles(tiles);
    const auto make = [this](stream::Pixel& item) { next_pixel(item); };
    this->input(
        COSIM_INPUT(map),
        [this](Model& m, const stream::Pixel& item, const auto& field) {
          tag_fields(m.map_tag, item.tag, field);
          byte_fields(m.map_bytes, item.bytes, array_.output_channels, field);
        },
        map_left_, make);
    this->input(
        COSIM_INPUT(hidden),
        [this](Model& m, const stream::Pixel& item, const auto& field) {
          tag_fields(m.hidden_tag, item.tag, field);
          byte_fields(m.hidden_bytes, item.bytes, array_.output_channels, field);
        },
        hidden_left_, make);
    this->output(COSIM_OUTPUT(tiles), [](Model& m, const stream::Tile& tile, const auto& field) {
      const stream::Command& job = tile.job;
      const auto bits = [](int value) { return static_cast<std::uint64_t>(value); };
      field("half", 0, m.tiles_half, 0, 1, bits(tile.half));
      field("end_of_layer", 0, m.tiles_end_of_layer, 0, 1, bits(job.end_of_layer));
      field("groups", 0, m.tiles_groups, 0, 16, bits(job.recurrent_output ? job.groups / 4 : job.groups));
      field("columns", 0, m.tiles_columns, 0, 14, bits(job.output_columns));
      field("rows", 0, m.tiles_rows, 0, 14, bits(job.tile_rows));
      field("row_pitch", 0, m.tiles_row_pitch, 0, 28, bits(job.row_pitch));
      field("plane_pitch", 0, m.tiles_plane_pitch, 0, 28, bits(job.plane_pitch));
      field("base", 0, m.tiles_base, 0, 32, job.output_base);
    });
  }

 private:
  static stream::ArrayConfig array_of(const Parameters& p) {
    stream::ArrayConfig array;
    array.input_channels = array.output_channels = p["OUTPUT_CHANNELS"];
    return array;
  }

  void next_phase() override {
    base::Random& r = this->random;
    job_ = {};
    job_.output_select = r.chance(50);
    job_.recurrent_output = r.chance(30);
    job_.end_of_layer = r.chance(20);
    groups_ = r.uniform(1, 5);
    job_.groups = groups_ * (job_.recurrent_output ? 4 : 1);
    job_.output_columns = r.uniform(1, 12);
    job_.tile_rows = r.uniform(0, 5);
    job_.row_pitch = r.uniform(0, 1 << 20);
    job_.plane_pitch = r.uniform(0, 1 << 20);
    job_.output_base = static_cast<std::uint32_t>(r.next());
    stored_left_ = job_.tile_rows * groups_ * job_.output_columns;
    dropped_left_ = r.uniform(0, 20);
    (job_.recurrent_output ? hidden_left_ : map_left_) = stored_left_ + dropped_left_;
  }
  // A pixel past the tile's last would count towards the next tile of the twin that must not drop it.
  void next_pixel(stream::Pixel& item) {
    base::Random& r = this->random;
    item.tag = random_tag(job_, r);
    item.tag.x = r.uniform(0, job_.output_columns - 1);
    item.tag.group = r.uniform(0, groups_ - 1);
    const bool drop = stored_left_ == 0 || (dropped_left_ > 0 && r.chance(20));
    item.tag.row = drop ? job_.tile_rows + r.uniform(0, 3) : r.uniform(0, job_.tile_rows - 1);
    --(drop ? dropped_left_ : stored_left_);
    for (std::uint8_t& byte : item.bytes) byte = static_cast<std::uint8_t>(r.next());
  }

  void before_edge() override { buffer_.next_edge(); }

  void drive_levels(Model& m) override {
    m.job_output_select = job_.output_select & 1;
    m.job_recurrent_output = job_.recurrent_output & 1;
    m.job_end_of_layer = job_.end_of_layer & 1;
    m.job_groups = static_cast<SData>(job_.groups);
    m.job_output_columns = static_cast<SData>(job_.output_columns);
    m.job_tile_rows = static_cast<SData>(job_.tile_rows);
    m.job_row_pitch = static_cast<IData>(job_.row_pitch);
    m.job_plane_pitch = static_cast<IData>(job_.plane_pitch);
    m.job_output_base = job_.output_base;
  }

  void compare_at_edge(Model& m, const Compare& field) override {
    field("claim", 0, m.claim, 0, 1, buffer_.completed.has_value());
    if (buffer_.completed) field("claim_half", 0, m.claim_half, 0, 1, static_cast<std::uint64_t>(*buffer_.completed));
    const std::optional<Write>& write = buffer_.before[1];
    field("write", 0, m.write, 0, 1, write.has_value());
    if (!write) return;
    field("write_half", 0, m.write_half, 0, 1, static_cast<std::uint64_t>(write->half));
    field("write_address", 0, m.write_address, 0, 12,
          static_cast<std::uint64_t>(write->offset / array_.input_channels));
    byte_fields(m.write_data, write->bytes, static_cast<int>(write->bytes.size()), field);
  }

  const stream::ArrayConfig array_;
  Buffer buffer_;
  sim::Stream<stream::Pixel> map, hidden;
  sim::Stream<stream::Tile> tiles;
  stream::OutputStore store_;
  stream::Command job_;
  int groups_ = 1, stored_left_ = 0, dropped_left_ = 0, map_left_ = 0, hidden_left_ = 0;
};

}  // namespace

int add_lanes(Session& session) {
#define ADD(Model, parameters) session.add<OutputStoreLane<Model>>(parameters);
  FOR_EACH_TWIN(ADD)
#undef ADD
  return kFaults;
}

}  // namespace fansim::cosim
