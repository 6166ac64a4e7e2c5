// SPDX-License-Identifier: Apache-2.0
#include "inject/campaign.h"

#include <catch2/catch.hpp>
#include <set>

#include "inject/machine.h"
#include "inject/result_text.h"
#include "support/user_error.h"

namespace fansim::campaign_test {

namespace {

inject::Request campaign_of(int count, const std::string& network = "tiny_conv") {
  inject::Request request;
  request.run = test::small_run({}, {}, network);
  request.count = count;
  return request;
}

std::vector<std::string> lines(const inject::Campaign& campaign) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < campaign.faults.size(); ++i)
    lines.push_back(campaign.faults[i].fault.text() + ": " + inject::text_of(campaign.results[i]));
  return lines;
}

bool has(const inject::Campaign& campaign, inject::Outcome outcome) {
  return std::any_of(campaign.results.begin(), campaign.results.end(),
                     [outcome](const inject::Result& result) { return result.outcome == outcome; });
}

}  // namespace

TEST_CASE("a campaign is the same for any number of jobs") {
  inject::Request request = campaign_of(60);
  request.each = true;
  const inject::Campaign alone = run_campaign(request);
  request.jobs = 3;
  CHECK(lines(run_campaign(request)) == lines(alone));
  CHECK(has(alone, inject::Outcome::masked));
  CHECK(has(alone, inject::Outcome::wrong));
}

TEST_CASE("a longer campaign begins with the faults of a shorter one") {
  const std::vector<std::string> few = lines(run_campaign(campaign_of(5))), more = lines(run_campaign(campaign_of(9)));
  CHECK(std::equal(few.begin(), few.end(), more.begin()));
}

TEST_CASE("another seed draws other faults") {
  inject::Request request = campaign_of(5);
  const std::vector<std::string> one = lines(run_campaign(request));
  request.seed = 2;
  CHECK(lines(run_campaign(request)) != one);
}

TEST_CASE("results that were kept are not run again and those of another campaign are refused") {
  const base::TemporaryFolder folder;
  inject::Request request = campaign_of(12);
  request.resume = folder.path() + "/c.db";
  const std::vector<std::string> first = lines(run_campaign(request));
  double least = 1;
  request.count = 16;
  request.on_progress = [&least](double fraction) { least = std::min(least, fraction); };
  const std::vector<std::string> more = lines(run_campaign(request));
  CHECK(least > 12.0 / 16);
  CHECK(std::equal(first.begin(), first.end(), more.begin()));
  request.resume.clear();
  CHECK(lines(run_campaign(request)) == more);
  request.resume = folder.path() + "/c.db";
  request.seed = 2;
  CHECK(test::message_of([&] { run_campaign(request); }).find("--seed") != std::string::npos);
}

// What is cut short has the same result as a complete run.
TEST_CASE("runs that end with their layer and layers that the fast engine computes come out as whole runs do") {
  const std::string network = GENERATE("tiny_conv", "tiny_lstm", "tiny_residual");
  for (const inject::What what : {inject::What::flips, inject::What::protocol}) {
    inject::Request request = campaign_of(40, network);
    request.what = what;
    request.each = true;
    request.jobs = 2;
    request.run.overrides = {"host.timeout=20000", "host.retry=1"};
    const inject::Campaign cut = run_campaign(request);
    request.to_the_end = true;
    const inject::Campaign whole = run_campaign(request);
    for (std::size_t i = 0; i < cut.results.size(); ++i) {
      CAPTURE(cut.faults[i].fault.text());
      inject::Result a = cut.results[i], b = whole.results[i];
      a.lost = b.lost = 0;
      CHECK(inject::text_of(a) == inject::text_of(b));
    }
  }
}

TEST_CASE("faults in the protocol are recovered from or reported or hang by what the driver does") {
  inject::Request request = campaign_of(14);  // one of each kind
  request.what = inject::What::protocol;
  request.each = true;
  request.jobs = 2;
  const inject::Campaign plain = run_campaign(request);
  CHECK(has(plain, inject::Outcome::hang));
  CHECK(has(plain, inject::Outcome::reported));
  CHECK_FALSE(has(plain, inject::Outcome::recovered));
  request.run.overrides = {"host.timeout=20000", "host.retry=1"};
  const inject::Campaign patient = run_campaign(request);
  CHECK_FALSE(has(patient, inject::Outcome::hang));
  CHECK(has(patient, inject::Outcome::recovered));
  for (std::size_t i = 0; i < patient.results.size(); ++i)
    if (patient.results[i].outcome == inject::Outcome::recovered) CHECK(patient.results[i].seen);
}

TEST_CASE("bits are drawn by their number and places evenly if that is asked for") {
  inject::Request request = campaign_of(40);
  const inject::Campaign by_bits = run_campaign(request);
  std::uint64_t bits = 0;
  for (const inject::PlaceBits& place : by_bits.places) bits += place.all();
  std::map<std::string, int> drawn;
  for (const inject::Drawn& one : by_bits.faults) ++drawn[one.place];
  for (const inject::PlaceBits& place : by_bits.places)
    if (place.all() * 3 > bits) CHECK(drawn[place.name] > 5);
  request.each = true;
  drawn.clear();
  for (const inject::Drawn& one : run_campaign(request).faults) ++drawn[one.place];
  for (const inject::PlaceBits& place : by_bits.places)
    CHECK(drawn[place.name] >= 40 / static_cast<int>(by_bits.places.size()));
}

TEST_CASE("upsets of the memory run on the fast engine while those of the chip do not") {
  inject::Request request = campaign_of(50);
  request.run.engine = runs::Engine::fast;
  request.at = {"ddr.*"};
  const inject::Campaign campaign = run_campaign(request);
  CHECK(has(campaign, inject::Outcome::wrong));
  CHECK(has(campaign, inject::Outcome::masked));
  request.at = {"lines.*"};
  CHECK(test::message_of([&] { run_campaign(request); }).find("no such place") != std::string::npos);
}

TEST_CASE("a pattern that no place fits is refused") {
  inject::Request request = campaign_of(1);
  request.at = {"wieght_buffer.half0"};
  CHECK(test::message_of([&] { run_campaign(request); }).find("did you mean 'weight_buffer.half0'?") !=
        std::string::npos);
}

}  // namespace fansim::campaign_test
