// SPDX-License-Identifier: Apache-2.0
#include "base/cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <optional>
#include <vector>

#include "base/error.h"

namespace fansim::base {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kMostPicoseconds = 1'000'000'000'000'000;  // 1000 s
constexpr int kMostEdges = 2'000'000'000;
constexpr std::int64_t kMostKilobytes = 1'000'000'000'000;  // per second
constexpr std::int64_t kPerMicrosecond = 1'000'000;         // picoseconds

struct Unit {
  const char* name;
  std::int64_t size;
};
constexpr std::array<Unit, 5> kTimes{
    {{"ps", 1}, {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}}};
constexpr std::array<Unit, 3> kRates{{{"kB/s", 1}, {"MB/s", 1'000}, {"GB/s", 1'000'000}}};
constexpr std::array<Unit, 3> kClocks{{{"kHz", 1}, {"MHz", 1'000}, {"GHz", 1'000'000}}};

template <std::size_t N>
std::vector<std::string> names_of(const std::array<Unit, N>& units) {
  std::vector<std::string> names;
  for (const Unit& unit : units) names.emplace_back(unit.name);
  return names;
}

template <std::size_t N>
const Unit* find(const std::array<Unit, N>& units, std::string_view name) {
  const auto found = std::find_if(units.begin(), units.end(), [name](const Unit& unit) { return unit.name == name; });
  return found == units.end() ? nullptr : &*found;
}

std::string unknown(std::string_view unit, const std::vector<std::string>& names) {
  std::string all, hint = did_you_mean(unit, names);
  for (const std::string& name : names) {
    all += (all.empty() ? "" : ", ") + name;
    const bool same = std::equal(unit.begin(), unit.end(), name.begin(), name.end(), [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    });
    if (same) hint = fmt::format("; did you mean '{}'?", name);
  }
  return fmt::format("unit '{}' unknown{}", unit, hint.empty() ? "; one of " + all : hint);
}

// Takes words off the front of a text.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) { skip(); }

  bool done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  bool take(char c) {
    if (done() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    skip();
    return true;
  }
  std::string_view number() {
    return take_while([](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '/'; });
  }
  // A unit ends at a blank or at the sign of the next term.
  std::string_view unit() {
    return take_while([](char c) { return c != ' ' && c != '\t' && c != '+' && c != '-'; });
  }

 private:
  template <class Of>
  std::string_view take_while(Of&& of) {
    std::size_t size = 0;
    while (size < rest_.size() && of(rest_[size])) ++size;
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    skip();
    return taken;
  }
  void skip() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }

  std::string_view rest_;
};

// A number that may be 0; empty if the text is none.
std::optional<Rational> number_of(std::string_view text) {
  const bool zero = !text.empty() && text.find_first_not_of("0.") == std::string_view::npos &&
                    std::count(text.begin(), text.end(), '.') <= 1 && text.front() == '0' && text.back() == '0';
  return zero ? Rational{0, 1} : parse_rational(text);
}

std::string no_number(const Words& words, std::string_view number, const char* example) {
  const std::string_view found = number.empty() ? words.rest() : number;
  return fmt::format("expected {}, found '{}'", example, found);
}

// Returns `count` units of that size as a whole number up to `most`; empty if it is none.
std::optional<std::int64_t> whole(const Rational& count, std::int64_t size, std::int64_t most) {
  const Wide amount = static_cast<Wide>(count.numerator) * size;
  if (amount % count.denominator != 0 || amount / count.denominator > most) return std::nullopt;
  return static_cast<std::int64_t>(amount / count.denominator);
}

constexpr const char* kExample = "cycles or a time, such as 38, 152 ns or 4 us";

// A term of a cost: a time or a number of edges.
struct Term {
  std::int64_t picoseconds = 0, edges = 0;
};

// Reads "of 1600/3 MHz" behind a number of edges, which makes a time of them.
std::string read_other_clock(Words& words, Term& term) {
  const std::string_view number = words.number();
  const std::optional<Rational> clock = number_of(number);
  if (!clock || clock->numerator == 0) return no_number(words, number, "a clock such as 1200 MHz");
  const std::string_view name = words.unit();
  const Unit* unit = find(kClocks, name);
  if (!unit) return unknown(name, names_of(kClocks));
  // A kilohertz has a period of 10^9 ps.
  const Wide time = static_cast<Wide>(term.edges) * 1'000'000'000 * clock->denominator /
                    (static_cast<Wide>(clock->numerator) * unit->size);
  if (time > kMostPicoseconds) return "is beyond 1000 s";
  term = {static_cast<std::int64_t>(time), 0};
  return "";
}

std::string read_edges(Words& words, const Rational& count, Term& term) {
  const std::optional<std::int64_t> edges = whole(count, 1, kMostEdges);
  if (!edges)
    return count.denominator != 1 ? fmt::format("{} cycles: a number of cycles is whole", count.text())
                                  : fmt::format("{} cycles are more than {}", count.text(), kMostEdges);
  term.edges = *edges;
  Words ahead = words;
  if (ahead.unit() != "of") return "";
  words = ahead;
  return read_other_clock(words, term);
}

std::string read_term(Words& words, Term& term) {
  const std::string_view number = words.number();
  const std::optional<Rational> count = number_of(number);
  if (!count) return no_number(words, number, kExample);
  const std::string_view name = words.unit();
  if (name.empty() || name == "cycles" || name == "cycle") return read_edges(words, *count, term);
  const Unit* unit = find(kTimes, name);
  if (!unit) {
    std::vector<std::string> names = names_of(kTimes);
    names.emplace_back("cycles");
    return unknown(name, names);
  }
  const std::optional<std::int64_t> time = whole(*count, unit->size, kMostPicoseconds);
  if (!time)
    return static_cast<Wide>(count->numerator) * unit->size > static_cast<Wide>(kMostPicoseconds) * count->denominator
               ? fmt::format("{} {} is beyond 1000 s", number, name)
               : fmt::format("{} {} is no whole number of picoseconds", number, name);
  term.picoseconds = *time;
  return "";
}

Wide round_up(Wide a, Wide b) { return a <= 0 ? a / b : (a + b - 1) / b; }

}  // namespace

Cost Cost::nanoseconds(int time) {
  Cost cost;
  cost.picoseconds_ = std::int64_t{time} * 1000;
  cost.follow(kFirstClock, 0, kMostEdges);
  return cost;
}

std::string Cost::follow(const Rational& mhz, int lo, int hi) {
  mhz_ = mhz;
  if (!is_timed()) return "";
  const Wide time =
      round_up(static_cast<Wide>(picoseconds_) * mhz.numerator, static_cast<Wide>(kPerMicrosecond) * mhz.denominator);
  const Wide total = time + edges_, least = edges_ < 0 ? std::max<Wide>(total, lo) : total;
  cycles_ = static_cast<int>(std::clamp<Wide>(least, lo, hi));
  if (least == cycles_) return "";
  const auto shown = static_cast<std::int64_t>(std::min<Wide>(least, std::numeric_limits<std::int64_t>::max()));
  return fmt::format("{} is {} cycles at {} MHz; allowed: {}..{}", text(), shown, mhz.text(), lo, hi);
}

Cycles Cost::sum(std::initializer_list<std::pair<std::int64_t, Cost>> parts, std::int64_t divisor) {
  Wide edges = 0, time = 0, per_edge = 1;
  for (const auto& [count, cost] : parts) {
    edges += static_cast<Wide>(count) * cost.edges_;
    if (!cost.is_timed()) continue;
    time += static_cast<Wide>(count) * cost.picoseconds_ * cost.mhz_.numerator;
    per_edge = static_cast<Wide>(kPerMicrosecond) * cost.mhz_.denominator;
  }
  const Wide total = round_up(time + edges * per_edge, per_edge * divisor);
  return static_cast<Cycles>(std::clamp<Wide>(total, 0, std::numeric_limits<Cycles>::max()));
}

std::string Cost::text() const {
  if (!is_timed()) return std::to_string(edges_);
  if (edges_ == 0) return time_text(picoseconds_);
  return fmt::format("{} {} {} cycles", time_text(picoseconds_), edges_ < 0 ? '-' : '+', std::abs(edges_));
}

std::string read_cost(std::string_view text, Cost& cost) {
  Words words(text);
  if (words.done()) return fmt::format("expected {}", kExample);
  std::int64_t picoseconds = 0, edges = 0;
  for (bool first = true; first || !words.done(); first = false) {
    const bool minus = words.take('-');
    if (!minus && !words.take('+') && !first) return fmt::format("expected + or -, found '{}'", words.rest());
    Term term;
    if (std::string wrong = read_term(words, term); !wrong.empty()) return wrong;
    picoseconds += minus ? -term.picoseconds : term.picoseconds;
    edges += minus ? -term.edges : term.edges;
    if (std::abs(picoseconds) > kMostPicoseconds) return "is beyond 1000 s";
    if (std::abs(edges) > kMostEdges) return fmt::format("is more than {} cycles", kMostEdges);
  }
  if (picoseconds < 0 || (picoseconds == 0 && edges < 0)) return "is negative";
  cost.picoseconds_ = picoseconds;
  cost.edges_ = cost.cycles_ = static_cast<int>(edges);
  return "";
}

std::string Bandwidth::follow(const Rational& mhz, int lo, int hi) {
  if (kilobytes_ == 0) return "";
  const Wide bits = static_cast<Wide>(kilobytes_) * 8 * mhz.denominator / (static_cast<Wide>(mhz.numerator) * 1000);
  const int least = std::max(lo, 1);  // 0 has a meaning of its own
  bits_ = static_cast<int>(std::clamp<Wide>(bits, least, hi));
  if (bits == bits_) return "";
  return fmt::format("{} is {} bits a cycle of {} MHz; allowed: {}..{}", text(), static_cast<std::int64_t>(bits),
                     mhz.text(), least, hi);
}

std::string Bandwidth::text() const {
  if (kilobytes_ == 0) return std::to_string(bits_);
  const std::int64_t whole = kilobytes_ / 1000, part = kilobytes_ % 1000;
  std::string digits = part == 0 ? "" : fmt::format(".{:03}", part);
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  return fmt::format("{}{} MB/s", whole, digits);
}

std::string read_bandwidth(std::string_view text, Bandwidth& bandwidth) {
  constexpr const char* kWanted = "bits a cycle or a rate, such as 128 or 4266 MB/s";
  Words words(text);
  const std::string_view number = words.number();
  const std::optional<Rational> count = number_of(number);
  if (!count) return no_number(words, number, kWanted);
  const std::string_view name = words.unit();
  if (!words.done()) return fmt::format("expected {}, found '{}'", kWanted, text);
  const bool bits = name.empty() || name == "bits" || name == "bit";
  const Unit* unit = find(kRates, name);
  if (!bits && !unit) {
    std::vector<std::string> names = names_of(kRates);
    names.emplace_back("bits");
    return unknown(name, names);
  }
  const std::optional<std::int64_t> amount = whole(*count, bits ? 1 : unit->size, bits ? kMostEdges : kMostKilobytes);
  if (!amount) return fmt::format("{}: expected a whole number of {}", text, bits ? "bits" : "kB/s");
  if (!bits && *amount == 0) return fmt::format("{}: nothing moves", text);
  bandwidth.kilobytes_ = bits ? 0 : *amount;
  bandwidth.bits_ = bits ? static_cast<int>(*amount) : 1;
  return "";
}

std::string time_text(std::int64_t picoseconds) {
  const Unit* unit = kTimes.data();
  for (const Unit& larger : kTimes)
    if (picoseconds >= larger.size) unit = &larger;
  std::string digits;
  for (std::int64_t rest = picoseconds % unit->size, size = unit->size; rest != 0; rest %= size) {
    size /= 10;
    digits += static_cast<char>('0' + rest / size);
  }
  return fmt::format("{}{}{} {}", picoseconds / unit->size, digits.empty() ? "" : ".", digits, unit->name);
}

}  // namespace fansim::base
