// SPDX-License-Identifier: Apache-2.0
#include "cosim/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

namespace fansim::cosim {

namespace {
std::string stop;
}  // namespace

std::string take_stop() { return std::exchange(stop, {}); }

Parameters::Parameters(std::string text) : text_(std::move(text)) {
  std::istringstream words(text_);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    values_[word.substr(0, equals)] = std::stoi(word.substr(equals + 1));
  }
}

Faults::Faults(int last) { add(1, last); }

Faults::Faults(const std::string& text) {
  std::istringstream ranges(text);
  for (std::string range; std::getline(ranges, range, ',');) {
    const std::size_t dots = range.find("..");
    add(std::stoi(range), std::stoi(dots == std::string::npos ? range : range.substr(dots + 2)));
  }
}

void Faults::add(int first, int last) {
  for (int code = first; code <= last; ++code) codes_.push_back(code);
}

bool Session::run(int faults, const std::string& summary_file) {
  const std::int64_t share = std::max(kShortest, kCycles / static_cast<std::int64_t>(lanes_.size()));
  bench_.at_each_edge([this](sim::Edge) {
    for (auto& lane : lanes_) lane->at_edge();
  });
  const auto failed = [](const auto& lane) { return lane->failed(); };
  bench_.run_until([&] {
    return std::any_of(lanes_.begin(), lanes_.end(), failed) ||
           std::all_of(lanes_.begin(), lanes_.end(), [&](const auto& lane) { return lane->cycles() >= share; });
  });

  std::int64_t cycles = 0, beats = 0;
  std::set<int> planted, caught;
  for (int fault = 1; fault <= faults; ++fault) planted.insert(fault);
  for (const auto& lane : lanes_) {
    cycles += lane->cycles();
    beats += lane->beats();
    caught.insert(lane->caught().begin(), lane->caught().end());
    for (int fault : lane->also_planted()) planted.insert(fault);
  }
  for (int fault : planted)
    if (!caught.count(fault)) fmt::print(stderr, "{}: fault {} was not caught\n", block_, fault);
  bool reached = true;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    for (const std::string& state : lanes_[i]->unreached()) {
      fmt::print(stderr, "{} ({}): there was no {}\n", block_, parameters_[i], state);
      reached = false;
    }
  }
  const bool agreed = std::none_of(lanes_.begin(), lanes_.end(), failed);
  if (agreed) {
    std::ofstream(summary_file)
        << nlohmann::json{{"block", block_}, {"parameters", parameters_},        {"cycles", cycles},
                          {"beats", beats},  {"faults_planted", planted.size()}, {"faults_caught", caught.size()}}
               .dump(2)
        << '\n';
    fmt::print("{}: {} cycles with {} output beats agree, {} of {} faults caught\n", block_, cycles, beats,
               caught.size(), planted.size());
  }
  return agreed && reached && caught == planted;
}

}  // namespace fansim::cosim

// A twin's $stop; Verilator's own would end the program.
void vl_stop(const char* file, int line, const char*) { fansim::cosim::stop = fmt::format("{}:{}", file, line); }
