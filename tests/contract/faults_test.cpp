// SPDX-License-Identifier: Apache-2.0
#include "contract/faults.h"

#include <catch2/catch.hpp>

#include "support/user_error.h"

namespace fansim::faults_test {

using contract::Fault;
using contract::parse_fault;

namespace {

std::string refusal(const std::string& text) {
  return test::message_of([&] { parse_fault(text); });
}

}  // namespace

TEST_CASE("a fault reads back from its own text") {
  for (const char* text :
       {"kind=flip, at=ddr.data", "kind=flip, at=weight_buffer.half0, word=17, bit=3, layer=conv1, cycle=99",
        "kind=flip, at=lines.lines, rate=2.5", "kind=stuck, at=bias_buffer.half1, word=0, bit=0, value=1, cycles=7",
        "kind=slverr, at=ddr.read, nth=3, count=2", "kind=decerr, at=ddr.write, cycle=5",
        "kind=stall, at=ddr.read, nth=2, cycles=500", "kind=drop, at=host.job_interrupt",
        "kind=repeat, at=host.job_interrupt", "kind=halt, at=dma.mm2s, cycle=1000"}) {
    CAPTURE(text);
    CHECK(parse_fault(text).text() == text);
  }
}

TEST_CASE("every kind of fault has its word and its places and keys that a fault has") {
  const std::vector<base::FieldRow> rows = base::field_rows<Fault>();
  for (const contract::FaultKind& kind : contract::fault_kinds()) {
    CAPTURE(kind.word);
    CHECK(parse_fault(std::string("kind=") + kind.word + ", at=x").kind == kind.kind);
    for (const char* key : kind.keys)
      CHECK(std::any_of(rows.begin(), rows.end(), [key](const base::FieldRow& row) { return row.name == key; }));
  }
  for (const char* word : {"flip", "stuck", "slverr", "decerr", "stall", "drop", "repeat", "halt"})
    CHECK(rows.front().allowed.find(word) != std::string::npos);
}

TEST_CASE("flips of the memory before a layer hit values alone and nothing else does") {
  CHECK(parse_fault("kind=flip, at=ddr.data").values_only());
  CHECK(parse_fault("kind=flip, at=ddr.data, layer=conv1, word=3").values_only());
  for (const char* text : {"kind=flip, at=ddr.data, cycle=1", "kind=flip, at=ddr.data, rate=1",
                           "kind=stuck, at=ddr.data", "kind=flip, at=ddr.read", "kind=flip, at=lines.lines"})
    CHECK_FALSE(parse_fault(text).values_only());
}

TEST_CASE("a wrong fault is refused in the user's words") {
  CHECK(refusal("kind=flop, at=x") == "--fault kind=flop, at=x: fault: kind 'flop' unknown; did you mean 'flip'?");
  CHECK(refusal("kind=flip").find("'at'") != std::string::npos);
  CHECK(refusal("at=x").find("'kind'") != std::string::npos);
  CHECK(refusal("kind=flip, at=x, wrod=3").find("did you mean 'word'?") != std::string::npos);
  CHECK(refusal("kind=flip, at=x, nth=3").find("a fault of kind flip has no 'nth'") != std::string::npos);
  CHECK(refusal("kind=halt, at=x, word=3").find("a fault of kind halt has no 'word'") != std::string::npos);
  CHECK(refusal("kind=flip, at=x, word=-2").find("out of range") != std::string::npos);
  CHECK(refusal("kind=flip, at=x, word=1, bit=64").find("allowed: an integer 0..63") != std::string::npos);
  CHECK(refusal("kind=flip, at=x, bit=1").find("of which word?") != std::string::npos);
  CHECK(refusal("kind=flip, at=x, word=1, rate=1").find("each flip is drawn") != std::string::npos);
  CHECK(refusal("kind=flip, at=x, at=y").find("given twice") != std::string::npos);
  for (const char* text : {"", "flip", "kind=flip,", "kind=flip, at"})
    CHECK(refusal(text).find("expected KEY=VALUE") != std::string::npos);
  for (const char* text : {"kind=flip, at={", "kind=[flip, at=x", "kind=flip, at=x, cycle=1e3",
                           "kind=flip, at=x, cycle=", "kind=flip, at=x, rate=nan"})
    CHECK_FALSE(refusal(text).empty());
}

}  // namespace fansim::faults_test
