// SPDX-License-Identifier: Apache-2.0
#include "benches/memory/traffic.h"

#include <catch2/catch.hpp>

#include "path_bench.h"

namespace fansim::traffic_test {

using benches::parse_traffic;
using benches::TrafficFile;

namespace {

const std::string kHeader = "case,port,write,burst_bytes,stride_bytes,base,window_bytes\n";

TrafficFile parse(const std::string& rows) { return parse_traffic(rows, "t.csv", test::board()); }

// Returns the error message for rows under the header.
std::string refusal(const std::string& rows) {
  try {
    parse(kHeader + rows);
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("rows of one name are a case wherever they stand") {
  const TrafficFile file = parse(
      "port,case,base,write,burst_bytes,stride_bytes,window_bytes\n"
      "# both ports\n"
      "HP0,a,0x1000,0,64,128,4096\n"
      "3,b,0,1,16,16,4096\n"
      "1,a,0,1,4096,4096,4096\n");
  REQUIRE(file.cases.size() == 2);
  CHECK(file.cases[0].name == "a");
  CHECK(file.cases[0].rows == std::vector<std::size_t>{1, 3});
  CHECK(file.cases[0].traffic[0].base == 0x1000);
  CHECK(file.cases[0].traffic[0].stride_bytes == 128);
  CHECK(file.cases[0].traffic[1].write);
  CHECK(file.cases[1].traffic[0].port == 3);
}

TEST_CASE("traffic that the device cannot have is refused with its row") {
  CHECK(refusal("a,HP4,0,64,64,0,4096\n") ==
        "t.csv:2:3: port 'HP4' unknown; did you mean 'HP0'? (zcu102_ports has HP0, HP1, HP2, HP3, or 0..3)");
  CHECK(refusal("a,4,0,64,64,0,4096\n").rfind("t.csv:2:3: port '4' unknown", 0) == 0);
  CHECK(refusal("a,0,2,64,64,0,4096\n") == "t.csv:2:5: write 2 is out of range; allowed: 0..1");
  CHECK(refusal("a,0,0,40,64,0,4096\n") == "t.csv:2:7: burst_bytes 40 is no multiple of the port's 16 bytes");
  CHECK(refusal("a,0,0,4112,8192,0,65536\n") ==
        "t.csv:2:7: burst_bytes 4112 is 257 beats of 16 bytes; a burst has at most 256");
  CHECK(refusal("a,0,0,4096,4096,16,65536\n") == "t.csv:2:7: burst_bytes 4096 at base 16 crosses a boundary of 4 KiB");
  CHECK(refusal("a,0,0,64,48,0,4096\n") == "t.csv:2:10: stride_bytes 48 is below burst_bytes 64");
  CHECK(refusal("a,0,0,64,72,0,4096\n") == "t.csv:2:10: stride_bytes 72 is no multiple of the port's 16 bytes");
  CHECK(refusal("a,0,0,64,64,8,4096\n") == "t.csv:2:13: base 8 is no multiple of the port's 16 bytes");
  CHECK(refusal("a,0,0,64,64,0,48\n") == "t.csv:2:15: window_bytes 48 holds no burst of 64");
  CHECK(refusal("a,0,0,64,64,0xfffff000,8192\n") ==
        "t.csv:2:24: window_bytes 8192 from 0xfffff000 ends beyond the 0x100000000 bytes of zcu102_ddr4_2133");
}

TEST_CASE("sizes of zero and text that is no number are refused") {
  CHECK(refusal("a,0,0,0,64,0,4096\n").rfind("t.csv:2:7: burst_bytes 0 is out of range; allowed: 1..", 0) == 0);
  CHECK(refusal("a,0,0,64,0,0,4096\n").rfind("t.csv:2:10: stride_bytes 0 is out of range; allowed: 1..", 0) == 0);
  CHECK(refusal("a,0,0,64,64,0,0\n").rfind("t.csv:2:15: window_bytes 0 is out of range; allowed: 1..", 0) == 0);
  CHECK(refusal("a,0,0,-16,64,0,0\n") == "t.csv:2:7: burst_bytes '-16' is no number such as 4096 or 0x1000");
  CHECK(refusal("a,0,0,64,64,99999999999999999999,4096\n").rfind("t.csv:2:13: base '9999", 0) == 0);
}

TEST_CASE("rows of a case must not collide while those of two cases may") {
  const std::string first = "a,0,0,64,64,0,8192\n";
  CHECK(refusal(first + "a,HP0,0,64,64,0x10000,4096\n") ==
        "t.csv:3:3: port HP0 reads in line 2 already, in the same case");
  CHECK(refusal(first + "a,1,1,64,64,4096,4096\n") == "t.csv:3:13: base 4096: its window overlaps that of line 2");
  CHECK(refusal(first + "a,0,1,64,64,8192,4096\nb,0,0,64,64,0,4096\n") == "none");
}

TEST_CASE("columns must be known and there once") {
  const auto refused = [](const std::string& rows) {
    CHECK_THROWS_AS(parse(rows), base::UserError);
    try {
      parse(rows);
    } catch (const base::UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused("case,port,write,burst,stride_bytes,base,window_bytes\n") == "t.csv:1:17: column 'burst' unknown");
  CHECK(refused("case,port,write,burst_byte,stride_bytes,base,window_bytes\n") ==
        "t.csv:1:17: column 'burst_byte' unknown; did you mean 'burst_bytes'?");
  CHECK(refused("case,port,write,burst_bytes,stride_bytes,base\n") == "t.csv:1:1: column 'window_bytes' is missing");
  CHECK(refused("case,case,port,write,burst_bytes,stride_bytes,base,window_bytes\n") ==
        "t.csv:1:6: column case stands twice");
  CHECK(refused(kHeader + "a,0,0,64\n") == "t.csv:2:7: 4 cells, but the header has 7");
  CHECK(refused("") == "t.csv: empty: expected the columns case,port,write,burst_bytes,stride_bytes,base,window_bytes");
  CHECK(refused(kHeader) == "t.csv: no traffic under the header");
}

}  // namespace fansim::traffic_test
