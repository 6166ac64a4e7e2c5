// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "program.h"

namespace fansim::test {

// Layers behind an input of [8, 6, 5], in a file, run with a JSON report.
struct SmallNetwork : base::TemporaryFolder {
  std::string file = path() + "/n.yaml";

  explicit SmallNetwork(const std::string& layers, const std::string& step = ", step: 0.05") {
    base::write_file(file,
                     "version: 1\nname: n\ninput: {shape: [8, 6, 5], type: int8" + step + "}\nlayers:\n" + layers);
  }
  Outcome run(const std::string& machine, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"run", config(machine), file, "--json", path() + "/r.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
  nlohmann::json json(const std::string& machine, const std::vector<std::string>& more) const {
    const Outcome outcome = run(machine, more);
    INFO(outcome.out << outcome.err);
    REQUIRE(outcome.code == 0);
    return nlohmann::json::parse(base::read_file(path() + "/r.json"));
  }
};

}  // namespace fansim::test
