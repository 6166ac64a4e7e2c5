// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/pooling.h"

#include <algorithm>
#include <map>

#include "support/blocks.h"

namespace fansim::pooling_test {

using stream::Pixel;
using stream::Pooling;
using Lanes = test::Lanes<Pooling, Pixel, Pixel>;

namespace {

constexpr std::uint64_t kSeed = 15;
constexpr stream::PoolingConfig kUnit{7, 5, 64};  // no more than the shapes below need

struct Shape {
  int rows, columns, groups;
  int kernel, stride, top, left;
  bool ceil_mode;
  bool is_unsigned;
};

int pooled(int size, int kernel, int stride, int before, bool ceil_mode) {
  const int span = size + 2 * before - kernel;
  int n = span / stride + 1;
  // A window must not start in the padding behind the map.
  if (ceil_mode && span % stride != 0 && n * stride < size + before) ++n;
  return n;
}

// Returns a layer's pooled rows: row r is complete after convolution row `last[r]`.
std::vector<int> last_rows(const Shape& s) {
  std::vector<int> last;
  const int n = pooled(s.rows, s.kernel, s.stride, s.top, s.ceil_mode);
  for (int r = 0; r < n; ++r) last.push_back(std::min(s.rows - 1, r * s.stride - s.top + s.kernel - 1));
  return last;
}

// A layer in jobs of at most `rows_per_job` rows, its pixels, and what comes out of them.
struct Layer {
  Layer(const Shape& shape, int channels, int rows_per_job, base::Random& random) : s(shape) {
    const std::vector<int> last = last_rows(s);
    const int job_count = (s.rows + rows_per_job - 1) / rows_per_job;
    jobs.resize(static_cast<std::size_t>(job_count));
    map.resize(static_cast<std::size_t>(s.rows * s.columns * s.groups * channels));
    for (std::uint8_t& byte : map) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
    for (int j = 0; j < job_count; ++j) {
      stream::Command& job = jobs[static_cast<std::size_t>(j)];
      const int first = j * rows_per_job;
      job.pool = 1;
      job.output_row = first;
      job.output_rows = s.rows;
      job.rows = std::min(rows_per_job, s.rows - first);
      job.windows = s.columns;
      job.groups = s.groups;
      job.pool_kernel = s.kernel;
      job.pool_stride = s.stride;
      job.pool_top = s.top;
      job.pool_left = s.left;
      job.pool_columns = pooled(s.columns, s.kernel, s.stride, s.left, s.ceil_mode);
      job.pool_rows = static_cast<int>(last.size());
      job.output_unsigned = s.is_unsigned;
      for (int row = 0; row < job.rows; ++row)
        for (int group = 0; group < s.groups; ++group)
          for (int x = 0; x < s.columns; ++x) {
            Pixel pixel{};
            pixel.tag.job = &job;
            pixel.tag.row = row;
            pixel.tag.group = group;
            pixel.tag.x = x;
            std::copy_n(at(first + row, group, x, channels), channels, pixel.bytes.data());
            pixels.push_back(pixel);
          }
      int row_of_job = 0;
      for (int r = 0; r < static_cast<int>(last.size()); ++r) {
        const int done = last[static_cast<std::size_t>(r)];
        if (done >= first && done < first + job.rows) {
          expect_row(job, r, row_of_job++, channels);
        }
      }
    }
  }

  const std::uint8_t* at(int row, int group, int x, int channels) const {
    return map.data() + ((row * s.groups + group) * s.columns + x) * channels;
  }

  // Computes pooled row `row`, number `row_of_job` of its job, from the definition: the maximum over the part of the
  // window inside the map.
  void expect_row(const stream::Command& job, int row, int row_of_job, int channels) {
    for (int group = 0; group < s.groups; ++group)
      for (int x = 0; x < job.pool_columns; ++x) {
        std::vector<std::uint8_t> bytes;
        for (int o = 0; o < channels; ++o) {
          int best = -1000;
          for (int y = row * s.stride - s.top; y < row * s.stride - s.top + s.kernel; ++y)
            for (int c = x * s.stride - s.left; c < x * s.stride - s.left + s.kernel; ++c) {
              if (y < 0 || y >= s.rows || c < 0 || c >= s.columns) continue;
              const std::uint8_t byte = at(y, group, c, channels)[o];
              best = std::max(best, s.is_unsigned ? int{byte} : int{static_cast<std::int8_t>(byte)});
            }
          bytes.push_back(static_cast<std::uint8_t>(best));
        }
        expected[{&job, row_of_job, group, x}] = bytes;
      }
  }

  void require(const std::vector<Pixel>& out, int channels) const {
    REQUIRE(out.size() == expected.size());
    std::size_t seen = 0;
    for (const Pixel& pixel : out) {
      const auto it = expected.find({pixel.tag.job.get(), pixel.tag.row, pixel.tag.group, pixel.tag.x});
      REQUIRE(it != expected.end());
      for (std::size_t o = 0; o < static_cast<std::size_t>(channels); ++o) REQUIRE(pixel.bytes[o] == it->second[o]);
      ++seen;
    }
    REQUIRE(seen == expected.size());
  }

  // A pixel takes a cycle; one that closes several columns, one per column and row that it closes there, or per column
  // where it closes no row.
  int extra_cycles() const {
    std::vector<int> columns_closed(static_cast<std::size_t>(s.columns)), rows_closed(static_cast<std::size_t>(s.rows));
    const int columns = pooled(s.columns, s.kernel, s.stride, s.left, s.ceil_mode);
    for (int x = 0; x < columns; ++x)
      ++columns_closed[static_cast<std::size_t>(std::min(s.columns - 1, x * s.stride - s.left + s.kernel - 1))];
    for (int last_row : last_rows(s)) ++rows_closed[static_cast<std::size_t>(last_row)];
    int extra = 0;
    for (int at_column : columns_closed)
      for (int at_row : rows_closed) extra += std::max(1, at_column * std::max(1, at_row)) - 1;
    return extra * s.groups;
  }

  bool ends_with_a_window() const {
    const int columns = pooled(s.columns, s.kernel, s.stride, s.left, s.ceil_mode);
    return last_rows(s).back() == s.rows - 1 && (columns - 1) * s.stride - s.left + s.kernel >= s.columns;
  }

  Shape s;
  std::vector<stream::Command> jobs;
  std::vector<Pixel> pixels;
  std::vector<std::uint8_t> map;
  std::map<std::tuple<const stream::Command*, int, int, int>, std::vector<std::uint8_t>> expected;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {12, 12, 2, 2, 2, 0, 0, false, false},  // the published one
      {13, 11, 1, 2, 2, 0, 0, true, true},    // odd, ceil
      {13, 11, 3, 2, 2, 0, 0, false, true},   // odd, floor: a row and a column left over
      {14, 14, 2, 3, 2, 1, 1, false, false},  // padded
      {14, 14, 2, 3, 2, 0, 0, true, false},   // ceil
      {15, 14, 1, 3, 2, 1, 1, true, true},    // both
      {9, 10, 2, 3, 1, 1, 1, false, false},   // overlapping, edge windows complete together
      {9, 10, 1, 5, 1, 2, 2, false, true},    // the same, three at a time
      {10, 10, 2, 2, 3, 0, 0, false, false},  // gaps between windows
      {7, 7, 1, 7, 7, 0, 0, false, false},    // global
      {5, 6, 1, 1, 1, 0, 0, false, true},     // nothing
      {4, 4, 1, 3, 2, 1, 0, false, false},    // unlike in rows and columns
  };
  return all;
}

// Runs windows of 3 x 3 at stride 1 over 2 groups of 10 columns on a unit that is too small for them.
void check_violation(const stream::PoolingConfig& unit, const char* what) {
  base::Random random(kSeed);
  test::Bench bench;
  Lanes lanes(bench, &Pooling::in, &Pooling::out);
  const Layer layer({9, 10, 2, 3, 1, 1, 1, false, false}, 8, 9, random);
  lanes.add(layer.pixels, layer.expected.size(), {0, 0}, unit, 8);
  CHECK_THROWS_WITH(bench.run(200), Catch::Contains(what));
}

}  // namespace

TEST_CASE("max pooling equals the definition for any window and stride and padding and rounding and cut into jobs") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Lanes lanes(bench, &Pooling::in, &Pooling::out);
  std::vector<std::unique_ptr<Layer>> layers;
  for (const Shape& shape : shapes())
    for (int rows_per_job : {1, 3, 5, 100}) {
      layers.push_back(std::make_unique<Layer>(shape, 8, rows_per_job, random));
      lanes.add(layers.back()->pixels, layers.back()->expected.size(), {0, 0}, kUnit, 8);
    }
  lanes.run();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Shape& s = layers[i]->s;
    INFO(s.rows << "x" << s.columns << " kernel " << s.kernel << " stride " << s.stride << " top " << s.top << ", lane "
                << i);
    layers[i]->require(lanes[i].sink.items(), 8);
  }
}

TEST_CASE("one pooling unit serves layer after layer of changing shape whether pooled or not") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Lanes lanes(bench, &Pooling::in, &Pooling::out);
  std::vector<std::unique_ptr<Layer>> layers;
  std::vector<Pixel> pixels;
  std::size_t expected = 0;
  const stream::Command plain;
  for (const Shape& shape : shapes()) {
    layers.push_back(std::make_unique<Layer>(shape, 16, 2, random));
    pixels.insert(pixels.end(), layers.back()->pixels.begin(), layers.back()->pixels.end());
    expected += layers.back()->expected.size() + 1;
    Pixel through{};
    through.tag.job = &plain;
    through.bytes[0] = static_cast<std::uint8_t>(expected);
    pixels.push_back(through);
  }
  auto& lane = lanes.add(pixels, expected, {0, 30}, kUnit, 16);
  lanes.run();
  auto from = lane.sink.items().begin();
  std::size_t total = 0;
  for (const auto& layer : layers) {
    const auto to = from + static_cast<std::ptrdiff_t>(layer->expected.size());
    layer->require(std::vector<Pixel>(from, to), 16);
    total += layer->expected.size() + 1;
    REQUIRE(to->tag.job == &plain);
    REQUIRE(to->bytes[0] == static_cast<std::uint8_t>(total));
    from = to + 1;
  }
}

TEST_CASE("a pooled pixel leaves one cycle after the pixel that completes its window as does one passed through") {
  base::Random random(kSeed);
  test::Bench bench;
  Lanes lanes(bench, &Pooling::in, &Pooling::out);
  const Layer layer({6, 6, 1, 2, 2, 0, 0, false, false}, 8, 6, random);
  auto& pooling = lanes.add(layer.pixels, 9, {0, 0}, kUnit, 8);
  const stream::Command plain;
  std::vector<Pixel> pixels(150);
  for (Pixel& pixel : pixels) pixel.tag.job = &plain;
  auto& through = lanes.add(pixels, 150, {0, 0}, kUnit, 8);
  lanes.run();
  for (std::size_t k = 0; k < 9; ++k) {
    const std::size_t completing = (2 * (k / 3) + 1) * 6 + 2 * (k % 3) + 1;
    REQUIRE(pooling.latency(completing, k) == 1);
  }
  for (std::size_t k = 0; k < 150; ++k) REQUIRE(through.latency(k, k) == 1);
  CHECK(test::back_to_back(through.sink.edges()));
}

TEST_CASE("pooling takes one pixel per cycle and one more for each further column and row that it closes") {
  base::Random random(kSeed);
  test::Bench bench;
  Lanes lanes(bench, &Pooling::in, &Pooling::out);
  std::vector<std::unique_ptr<Layer>> layers;
  for (const Shape& shape : shapes()) {
    layers.push_back(std::make_unique<Layer>(shape, 8, 4, random));
    lanes.add(layers.back()->pixels, layers.back()->expected.size(), {0, 0}, kUnit, 8);
  }
  lanes.run();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const test::Account& a = lanes[i].account;
    INFO("lane " << i);
    REQUIRE(a.stalls == 0);
    REQUIRE(a.beats == static_cast<std::int64_t>(layers[i]->pixels.size()));
    const Layer& layer = *layers[i];
    const int extra = layer.extra_cycles();
    REQUIRE(a.unexplained <= extra);
    // If the very last pixel completes windows too, all cycles lie between the first pixel and the last window.
    const sim::Edge span = lanes[i].sink.edges().back() - lanes[i].source.edges().front() - 2;
    if (layer.ends_with_a_window()) {
      REQUIRE(span == a.beats + extra);
    } else {
      REQUIRE(span < a.beats + extra);
    }
  }
  CHECK(layers[0]->extra_cycles() == 0);
  CHECK(lanes[0].account.unexplained == 0);
}

TEST_CASE("random stalls change no pooled pixel and every cycle is accounted for") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  test::Bench bench;
  Lanes lanes(bench, &Pooling::in, &Pooling::out);
  const Layer plain({12, 12, 2, 2, 2, 0, 0, false, false}, 8, 4, random);
  const Layer edges({9, 10, 2, 3, 1, 1, 1, false, true}, 8, 4, random);
  for (const Layer* layer : {&plain, &edges})
    for (const test::Stalls& stalls : test::kStallGrid)
      lanes.add(layer->pixels, layer->expected.size(), stalls, kUnit, 8);
  lanes.run();
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const Layer& layer = i < 9 ? plain : edges;
    layer.require(lanes[i].sink.items(), 8);
    const test::Account& a = lanes[i].account;
    REQUIRE(a.contradictions == 0);
    REQUIRE(a.beats == test::count(lanes[i].block, "pixels_in"));
    REQUIRE(test::count(lanes[i].block, "pixels_out") == static_cast<std::int64_t>(layer.expected.size()));
    REQUIRE(a.beats + a.stalls + a.bubbles + a.unexplained == a.edges);
    REQUIRE(a.unexplained <= layer.extra_cycles());  // cycles that sent a second window, third, ...
  }
}

TEST_CASE("a pooling window larger than the unit's kernel is a violation") {
  check_violation({2, 3, 64}, "pooling window beyond kernel");
}

TEST_CASE("more pooling windows above one another than line memories are a violation") {
  check_violation({3, 2, 64}, "pooling windows beyond lines");
}

TEST_CASE("a pooled row beyond a line memory's words is a violation") {
  check_violation({3, 3, 19}, "pooled pixel beyond line_words");
}

}  // namespace fansim::pooling_test
