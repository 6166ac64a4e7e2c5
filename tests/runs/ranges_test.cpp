// SPDX-License-Identifier: Apache-2.0
#include "runs/ranges.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/data.h"
#include "support/user_error.h"

namespace fansim::ranges_test {

namespace {

runs::Request request_of(const char* config) {
  runs::Request request;
  request.config = base::data_path(config);
  request.network = base::data_path("models/tiny_conv.yaml");
  return request;
}

runs::Span span_of(const runs::Request& request) {
  return runs::span(request, [](double) {});
}

base::Cycles cycles(runs::Request request, const std::vector<std::string>& settings) {
  request.values = false;
  request.overrides.insert(request.overrides.end(), settings.begin(), settings.end());
  return runs::run(request).total().cycles;
}

}  // namespace

TEST_CASE("the ends of a run's interval are runs with every open constant at one end") {
  const runs::Request request = request_of("configs/systems/zcu102_stream.yaml");
  const runs::Span span = span_of(request);
  CHECK(span.cycles == cycles(request, {}));
  CHECK(span.least < span.cycles);
  CHECK(span.cycles < span.most);
  std::vector<std::string> low, high;
  for (const runs::KeySpan& key : span.keys) {
    INFO(key.range.key);
    CHECK(key.at_lo == cycles(request, {fmt::format("{}={}", key.range.key, key.range.lo.text())}));
    const bool falls = key.at_hi < key.at_lo;
    low.push_back(fmt::format("{}={}", key.range.key, (falls ? key.range.hi : key.range.lo).text()));
    high.push_back(fmt::format("{}={}", key.range.key, (falls ? key.range.lo : key.range.hi).text()));
  }
  CHECK(span.least == cycles(request, low));
  CHECK(span.most == cycles(request, high));
}

TEST_CASE("the ranges of a part that an override names are open") {
  runs::Request request = request_of("configs/systems/zcu102_stream.yaml");
  const std::size_t all = span_of(request).keys.size();
  request.overrides = {"host=../parts/zynq_ps_linux_user_space.yaml"};
  const runs::Span span = span_of(request);
  CHECK(span.keys.size() == all);
  for (const runs::KeySpan& key : span.keys)
    if (key.range.key == "host.interrupt") CHECK(key.range.hi.text() == "50 us");
}

TEST_CASE("what an override settles has no range any more") {
  runs::Request request = request_of("configs/systems/zcu102_stream.yaml");
  const std::size_t all = span_of(request).keys.size();
  request.overrides = {"host.interrupt=500"};
  CHECK(span_of(request).keys.size() == all - 1);
  CHECK_THAT(test::message_of([] { span_of(request_of("configs/systems/tiny_stream.yaml")); }),
             Catch::Contains("no constant of it has a range"));
}

}  // namespace fansim::ranges_test
