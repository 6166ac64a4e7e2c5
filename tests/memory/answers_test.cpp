// SPDX-License-Identifier: Apache-2.0
#include "memory/answers.h"

#include <catch2/catch.hpp>

namespace fansim::answers_test {

using axi::Resp;
using memory::Answers;

TEST_CASE("errors are of the bursts that were asked for and are counted from then on and told once") {
  Answers answers;
  answers.answered();
  int told = 0;
  answers.fail(2, 2, Resp::slverr, [&told] { ++told; });
  std::vector<Resp> resps;
  for (int burst = 0; burst < 4; ++burst) {
    CHECK(told == (burst > 1 ? 1 : 0));
    resps.push_back(answers.resp());
    CHECK(answers.resp() == resps.back());  // the worst of its beats
    answers.answered();
  }
  CHECK(resps == std::vector<Resp>{Resp::okay, Resp::slverr, Resp::slverr, Resp::okay});
  CHECK(told == 1);
}

TEST_CASE("the worse of two errors counts") {
  Answers answers;
  answers.fail(1, 1, Resp::decerr, nullptr);
  answers.fail(1, 1, Resp::slverr, nullptr);
  CHECK(answers.resp() == Resp::decerr);
}

TEST_CASE("a burst is held from the edge at which it could be answered") {
  Answers answers;
  int told = 0;
  answers.delay(2, 10, [&told] { ++told; });
  CHECK_FALSE(answers.holds(100));
  answers.answered();
  for (sim::Edge edge = 200; edge < 210; ++edge) CHECK(answers.holds(edge));
  CHECK_FALSE(answers.holds(210));
  CHECK_FALSE(answers.holds(211));  // the rest of its beats
  answers.answered();
  CHECK_FALSE(answers.holds(300));
  CHECK(told == 1);
}

TEST_CASE("one that is never answered is held for ever") {
  Answers answers;
  answers.delay(1, 0, nullptr);
  CHECK(answers.holds(1));
  CHECK(answers.holds(1'000'000'000));
}

}  // namespace fansim::answers_test
