// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.h"
#include "training/data/digits.h"

namespace fansim::training {
namespace {

constexpr int kSide = 28;
constexpr double kPi = 3.14159265358979323846;

struct Point {
  double x = 0, y = 0;
};
using Stroke = std::vector<Point>;

// Coordinates lie within -0.5..0.5 in both directions, y downwards. The last bit of a sine may differ between
// libraries; rounding to a grid hides that.
double on_grid(double v) { return std::round(v * 4096) / 4096; }

// Draws an arc of an ellipse. Angles are in degrees; 0 is to the right, and angles grow clockwise.
Stroke arc(double x, double y, double width, double height, int from, int to) {
  constexpr int kStep = 30;
  Stroke stroke;
  const int steps = std::max(1, std::abs(to - from) / kStep);
  for (int i = 0; i <= steps; ++i) {
    const double angle = (from + (to - from) * static_cast<double>(i) / steps) * kPi / 180;
    stroke.push_back({on_grid(x + width * std::cos(angle)), on_grid(y + height * std::sin(angle))});
  }
  return stroke;
}

Stroke joined(Stroke a, const Stroke& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

using Glyph = std::vector<Stroke>;

// Lists the ways in which each digit is written.
const std::array<std::vector<Glyph>, 10>& glyphs() {
  static const std::array<std::vector<Glyph>, 10> kGlyphs{{
      {{arc(0, 0, 0.3, 0.45, 0, 360)}, {arc(0, 0, 0.22, 0.45, -80, 270)}, {arc(0, 0, 0.36, 0.38, -60, 300)}},
      {{{{0, -0.45}, {0, 0.45}}},
       {{{-0.2, -0.22}, {0.02, -0.45}, {0.02, 0.45}}},
       {{{-0.18, -0.25}, {0, -0.45}, {0, 0.45}}, {{-0.2, 0.45}, {0.2, 0.45}}},
       {{{0.12, -0.45}, {-0.12, 0.45}}}},
      {{joined(arc(0, -0.2, 0.28, 0.25, -160, 30), {{-0.3, 0.45}, {0.32, 0.45}})},
       {joined(arc(0, -0.22, 0.26, 0.23, -180, 45), {{-0.1, 0.2}, {-0.28, 0.45}, {0.05, 0.38}, {0.3, 0.44}})},
       {joined(arc(0.02, -0.22, 0.26, 0.22, -150, 60),
               joined(arc(-0.2, 0.36, 0.1, 0.08, -120, -360), {{0.32, 0.42}}))}},
      {{joined(arc(0, -0.23, 0.25, 0.22, -150, 80), arc(0, 0.22, 0.29, 0.24, -90, 150))},
       {{{-0.26, -0.44}, {0.24, -0.44}, {-0.02, -0.1}}, arc(-0.02, 0.18, 0.29, 0.27, -90, 140)},
       {joined(arc(-0.02, -0.24, 0.22, 0.2, -120, 90), arc(-0.02, 0.21, 0.26, 0.24, -90, 120))}},
      {{{{-0.14, -0.45}, {-0.32, 0.1}, {0.32, 0.1}}, {{0.14, -0.15}, {0.12, 0.45}}},
       {{{0.14, -0.45}, {-0.32, 0.16}, {0.34, 0.16}}, {{0.14, -0.45}, {0.14, 0.45}}},
       {{{-0.24, -0.42}, {-0.24, 0.02}, {0.22, 0.02}}, {{0.22, -0.44}, {0.22, 0.45}}}},
      {{joined({{0.28, -0.44}, {-0.22, -0.44}, {-0.26, -0.04}}, arc(-0.02, 0.16, 0.29, 0.28, -120, 140))},
       {joined({{-0.2, -0.42}, {-0.22, -0.06}}, arc(-0.02, 0.18, 0.27, 0.26, -110, 130)),
        {{-0.2, -0.42}, {0.26, -0.44}}}},
      {{joined({{0.2, -0.45}, {-0.08, -0.26}}, arc(0, 0.18, 0.26, 0.26, -150, 210))},
       {joined({{0.02, -0.46}, {-0.2, -0.05}}, arc(0, 0.2, 0.24, 0.24, -170, 190))},
       {joined(arc(0.16, 0.05, 0.42, 0.5, -110, -190), arc(0.02, 0.2, 0.26, 0.24, -180, 180))}},
      {{{{-0.3, -0.43}, {0.3, -0.43}, {-0.06, 0.45}}},
       {{{-0.28, -0.42}, {0.28, -0.44}, {0.04, 0.02}, {-0.04, 0.45}}, {{-0.16, 0}, {0.22, 0}}},
       {{{-0.3, -0.3}, {-0.28, -0.43}, {0.3, -0.43}, {0, 0.45}}}},
      {{arc(0, -0.22, 0.22, 0.22, 90, 450), arc(0, 0.22, 0.27, 0.23, -90, 270)},
       {joined(arc(0.02, -0.23, 0.22, 0.2, 0, -220),
               joined({{0.2, 0.1}}, joined(arc(0, 0.24, 0.22, 0.2, 0, 180), {{0.22, -0.22}})))},
       {arc(0.02, -0.23, 0.2, 0.21, 90, 450), arc(-0.02, 0.22, 0.24, 0.24, -90, 270)}},
      {{arc(0, -0.2, 0.25, 0.24, 0, 360), {{0.25, -0.2}, {0.22, 0.45}}},
       {arc(-0.02, -0.2, 0.24, 0.23, 0, 360), joined({{0.22, -0.2}}, arc(-0.06, 0.1, 0.28, 0.35, 0, 110))},
       {arc(0, -0.22, 0.22, 0.22, -20, 340), {{0.22, -0.25}, {-0.08, 0.45}}}},
  }};
  return kGlyphs;
}

double between(base::Random& random, int low, int high, double unit) { return random.uniform(low, high) * unit; }

// Draws one image.
class Canvas {
 public:
  explicit Canvas(base::Random& random) : random_(random) {}

  void draw(int digit, std::uint8_t* pixels) {
    ink_.fill(0);
    const auto& styles = glyphs()[static_cast<std::size_t>(digit)];
    const Glyph& glyph = styles[static_cast<std::size_t>(random_.uniform(0, static_cast<int>(styles.size()) - 1))];
    choose();
    for (const Stroke& stroke : glyph) {
      Point before = placed(stroke.front());
      for (std::size_t i = 1; i < stroke.size(); ++i) {
        const Point next = placed(stroke[i]);
        segment(before, next);
        before = next;
      }
    }
    const int noise = random_.uniform(0, 24);
    for (std::size_t i = 0; i < ink_.size(); ++i) {
      const int speck = noise == 0 ? 0 : random_.uniform(-noise, noise);
      pixels[i] = static_cast<std::uint8_t>(std::clamp(static_cast<int>(ink_[i] * strength_) + speck, 0, 255));
    }
  }

 private:
  void choose() {
    const double turn = between(random_, -17, 17, kPi / 180), shear = between(random_, -22, 22, 0.01);
    const double width = between(random_, 72, 112, 0.01) * 20, height = between(random_, 80, 108, 0.01) * 20;
    const double c = std::cos(turn), s = std::sin(turn);
    xx_ = on_grid(c * width);
    xy_ = on_grid((c * shear - s) * height);
    yx_ = on_grid(s * width);
    yy_ = on_grid((s * shear + c) * height);
    x_ = kSide / 2.0 + between(random_, -22, 22, 0.1);
    y_ = kSide / 2.0 + between(random_, -18, 18, 0.1);
    radius_ = between(random_, 60, 155, 0.01);
    strength_ = random_.uniform(180, 255);
  }

  Point placed(const Point& p) {
    const double x = p.x + between(random_, -35, 35, 0.001), y = p.y + between(random_, -35, 35, 0.001);
    return {x_ + xx_ * x + xy_ * y, y_ + yx_ * x + yy_ * y};
  }

  // Puts full ink within the radius of the line, and none a pixel further away.
  void segment(const Point& a, const Point& b) {
    const double reach = radius_ + 1, dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    const auto from = [&](double low) { return std::clamp(static_cast<int>(std::floor(low - reach)), 0, kSide); };
    const auto to = [&](double high) { return std::clamp(static_cast<int>(std::ceil(high + reach)), 0, kSide); };
    for (int row = from(std::min(a.y, b.y)); row < to(std::max(a.y, b.y)); ++row)
      for (int column = from(std::min(a.x, b.x)); column < to(std::max(a.x, b.x)); ++column) {
        const double px = column + 0.5 - a.x, py = row + 0.5 - a.y;
        const double along = length == 0 ? 0 : std::clamp((px * dx + py * dy) / length, 0.0, 1.0);
        const double ex = px - along * dx, ey = py - along * dy;
        const double ink = std::clamp(reach - std::sqrt(ex * ex + ey * ey), 0.0, 1.0);
        double& there = ink_[static_cast<std::size_t>(row * kSide + column)];
        there = std::max(there, ink);
      }
  }

  base::Random& random_;
  std::array<double, kSide * kSide> ink_{};
  double xx_ = 0, xy_ = 0, yx_ = 0, yy_ = 0, x_ = 0, y_ = 0, radius_ = 1, strength_ = 255;
};

Labelled draw(base::Random random, int count) {
  Labelled set{kSide, kSide, {}, {}};
  set.pixels.resize(static_cast<std::size_t>(count) * kSide * kSide);
  Canvas canvas(random);
  for (int i = 0; i < count; ++i) {
    const int digit = random.uniform(0, 9);
    set.labels.push_back(static_cast<std::uint8_t>(digit));
    canvas.draw(digit, &set.pixels[static_cast<std::size_t>(i) * kSide * kSide]);
  }
  return set;
}

}  // namespace

DataSet drawn_digits(std::uint64_t seed, int train, int test) {
  return {draw({seed, "digits to learn"}, train), draw({seed, "digits held out"}, test),
          fmt::format("{} digits drawn from seed {}, {} held out", train, seed, test)};
}

}  // namespace fansim::training
