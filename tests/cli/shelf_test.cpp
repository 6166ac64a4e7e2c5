// SPDX-License-Identifier: Apache-2.0
// docs/models.md: what becomes of every network of the shelf. FANSIM_WRITE_SHELF writes its table anew.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <sstream>

#include "base/file.h"
#include "program.h"

namespace fansim::shelf_test {

using namespace test;

namespace {

const std::string kPage = FANSIM_SOURCE_DIR "/docs/models.md";

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream parts(row);
  for (std::string part; std::getline(parts, part, '|');) {
    const std::size_t first = part.find_first_not_of(" `"), last = part.find_last_not_of(" `");
    cells.push_back(first == std::string::npos ? "" : part.substr(first, last - first + 1));
  }
  return {cells.begin() + 1, cells.end()};
}

// "28,592,124 cycles, 62.6 % of them in software on the host", or why it does not run.
std::string result_of(const std::vector<std::string>& cells) {
  std::vector<std::string> arguments{"run", FANSIM_SOURCE_DIR "/configs/systems/" + cells[1] + ".yaml",
                                     FANSIM_SOURCE_DIR "/models/" + cells[0] + ".yaml", "--verify"};
  std::istringstream settings(cells[2]);
  for (std::string setting; settings >> setting;) arguments.insert(arguments.end(), {"--set", setting});
  const Outcome outcome = run_program(arguments);
  const std::string line = outcome.out.substr(0, outcome.out.find('\n'));
  const std::size_t from = line.find(": ");
  if (from == std::string::npos) {
    const std::string why = outcome.err.substr(0, outcome.err.find('\n'));
    return "refused: " + why.substr(why.find(".yaml:") == std::string::npos ? 0 : why.find(' ') + 1);
  }
  if (line.find(", verified") == std::string::npos) return "differs: " + line;
  std::string result = line.substr(from + 2, line.find(" cycles") + 7 - from - 2);
  const std::size_t share = line.find("GOPS, ") + 6;
  if (line.find("on the host") != std::string::npos)
    result += ", " + line.substr(share, line.rfind(", verified") - share);
  return result;
}

}  // namespace

TEST_CASE("the model shelf does what its page says and its outputs are the reference's") {
  std::istringstream lines(base::read_file(kPage));
  std::string page;
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| `", 0) == 0) {
      const std::vector<std::string> cells = cells_of(line);
      REQUIRE(cells.size() >= 4);
      const std::string result = result_of(cells);
      CAPTURE(line);
      if (!std::getenv("FANSIM_WRITE_SHELF")) CHECK(cells[3] == result);
      CHECK(result.rfind("differs", 0) == std::string::npos);
      line = line.substr(0, line.rfind('|', line.size() - 2) + 1) + " " + result + " |";
      ++rows;
    }
    page += line + "\n";
  }
  CHECK(rows >= 28);
  if (std::getenv("FANSIM_WRITE_SHELF")) base::write_file(kPage, page);
}

}  // namespace fansim::shelf_test
