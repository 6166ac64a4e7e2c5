// SPDX-License-Identifier: Apache-2.0
#include "report/campaign.h"

#include <catch2/catch.hpp>

namespace fansim::campaign_test {

using report::Campaign;

namespace {

Campaign campaign() {
  Campaign campaign;
  campaign.network.name = "n";
  campaign.config.name = "c";
  campaign.engine = "clocked";
  campaign.kind = "flip";
  campaign.outcomes = {{"masked", "right", false}, {"wrong", "not", true}, {"endless", "never", true}};
  campaign.places = {{"a", "block RAM", 900, 0, {}, 0, 0}, {"b", "DSP registers", 100, 0, {}, 0, 0}};
  for (int i = 0; i < 8; ++i) campaign.faults.push_back({"f", "a", 0, "", 0, 10, false, false, 0, ""});
  campaign.faults.push_back({"f", "b", 1, "conv1", 3, 10, true, false, 0, ""});
  campaign.faults.push_back({"f", "b", 0, "", 0, 10, false, false, 0, ""});
  return campaign;
}

}  // namespace

TEST_CASE("Wilson's interval is the published one") {
  // The values are from Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
  const report::Share many = report::wilson(81, 263), few = report::wilson(15, 148), none = report::wilson(0, 20),
                      one = report::wilson(1, 29);
  CHECK(many.least == Approx(0.2553).margin(0.00005));
  CHECK(many.most == Approx(0.3662).margin(0.00005));
  CHECK(few.least == Approx(0.0624).margin(0.00005));
  CHECK(few.most == Approx(0.1605).margin(0.00005));
  CHECK(none.least == 0);
  CHECK(none.most == Approx(0.1611).margin(0.00005));
  CHECK(one.least == Approx(0.0061).margin(0.00005));
  CHECK(one.most == Approx(0.1718).margin(0.00005));
  CHECK(report::wilson(7, 7).most == 1);
  CHECK(report::wilson(0, 0).most == 0);
}

TEST_CASE("faults are counted at their places and the sum is of all") {
  const Campaign c = campaign();
  const auto places = counted(c);
  CHECK(places[0].count == 8);
  CHECK(places[1].outcomes == std::vector<std::int64_t>{1, 1, 0});
  CHECK(places[1].vulnerable == 1);
  CHECK(places[1].top1_changed == 1);
  const report::CampaignPlace all = sum(c, places);
  CHECK(all.count == 10);
  CHECK(*all.bits == 1000);
}

TEST_CASE("where places are drawn evenly their bits weigh them") {
  Campaign c = campaign();
  CHECK(vulnerable_share(c, counted(c)) == Approx(0.1));
  c.by_bits = false;
  CHECK(vulnerable_share(c, counted(c)) == Approx(0.05));  // 100 of 1000 bits, half of them
}

TEST_CASE("the table shows no outcome that nothing came to and what wrong outputs begin with") {
  const std::string text = report::text(campaign());
  CHECK(text.find("endless") == std::string::npos);
  CHECK(text.find("first layer with a wrong output: conv1 1") != std::string::npos);
  CHECK(text.find("10 faults of kind flip") != std::string::npos);
}

TEST_CASE("every fault is a row of the CSV") {
  const std::string csv = report::csv(campaign());
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 11);
  CHECK(csv.find("f,b,wrong,conv1,3,10,1,0,0,\n") != std::string::npos);
}

}  // namespace fansim::campaign_test
