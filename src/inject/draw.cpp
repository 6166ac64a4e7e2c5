// SPDX-License-Identifier: Apache-2.0
#include "inject/draw.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "rules/fault_draw.h"

namespace fansim::inject {
namespace {

constexpr const char* kOnBoard = "DDR";

bool fits(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

// Names the row in the results: the place and, for protocol faults, the kind.
std::string row_of(const contract::Fault& fault) {
  const char* word = contract::kind_of(fault).word;
  const bool late = fault.kind == contract::Fault::Kind::stall && fault.cycles > 0;
  return fmt::format("{} {}{}", fault.at, word, late ? fmt::format(" {}", fault.cycles) : "");
}

class Draws {
 public:
  Draws(const Request& request, const std::vector<PlaceBits>& places, const std::vector<contract::Fault>& protocol,
        base::Cycles cycles)
      : request_(request), places_(places), protocol_(protocol), cycles_(static_cast<std::uint64_t>(cycles)) {
    for (const PlaceBits& place : places) bits_ += place.all();
  }

  Drawn draw(int number) const {
    base::Random random(request_.seed, fmt::format("inject {}", number));
    const auto cycle = static_cast<int>(1 + rules::draw_below(random, cycles_));
    Drawn drawn;
    if (request_.what == What::protocol) {
      const auto count = protocol_.size();
      drawn.fault = protocol_[request_.each ? static_cast<std::size_t>(number) % count
                                            : static_cast<std::size_t>(rules::draw_below(random, count))];
      drawn.place = row_of(drawn.fault);
    } else {
      hit(drawn.fault, number, random);
      drawn.place = drawn.fault.at;
    }
    drawn.fault.cycle = request_.what == What::stuck ? 1 : cycle;
    return drawn;
  }

 private:
  void hit(contract::Fault& fault, int number, base::Random& random) const {
    const PlaceBits* place = places_.data();
    std::uint64_t bit = 0;
    if (request_.each) {
      place += static_cast<std::size_t>(number) % places_.size();
      bit = rules::draw_below(random, place->all());
    } else {
      bit = rules::draw_below(random, bits_);
      for (; bit >= place->all(); ++place) bit -= place->all();
    }
    const bool stuck = request_.what == What::stuck;
    fault.kind = stuck ? contract::Fault::Kind::stuck : contract::Fault::Kind::flip;
    fault.at = place->name;
    fault.word = static_cast<int>(bit / static_cast<std::uint64_t>(place->bits));
    fault.bit = static_cast<int>(bit % static_cast<std::uint64_t>(place->bits));
    if (stuck) fault.value = static_cast<int>(rules::draw_below(random, 2));
  }

  const Request& request_;
  const std::vector<PlaceBits>& places_;
  const std::vector<contract::Fault>& protocol_;
  const std::uint64_t cycles_;
  std::uint64_t bits_ = 0;
};

}  // namespace

std::vector<PlaceBits> chosen(const Request& request, const std::vector<PlaceBits>& places) {
  std::vector<PlaceBits> chosen;
  std::vector<std::string> names;
  for (const PlaceBits& place : places) {
    if (place.all() == 0) continue;
    names.push_back(place.name);
    const bool named = std::any_of(request.at.begin(), request.at.end(),
                                   [&](const std::string& pattern) { return fits(pattern, place.name); });
    const bool moves = request.what == What::stuck && place.of == "shift registers";
    if ((request.at.empty() ? place.of != kOnBoard : named) && !moves) chosen.push_back(place);
  }
  for (const std::string& pattern : request.at)
    if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return fits(pattern, name); }))
      throw base::UserError(fmt::format("inject: --at '{}': no such place{}\nplaces with bits: {}", pattern,
                                        base::did_you_mean(pattern, names), base::joined(names)));
  if (chosen.empty()) throw base::UserError("inject: no place is left that has bits to draw from");
  return chosen;
}

std::vector<Drawn> draw(const Request& request, const std::vector<PlaceBits>& places,
                        const std::vector<contract::Fault>& protocol, base::Cycles cycles) {
  const Draws draws(request, places, protocol, cycles);
  std::vector<Drawn> drawn;
  for (int number = 0; number < request.count; ++number) drawn.push_back(draws.draw(number));
  return drawn;
}

}  // namespace fansim::inject
