// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "report/run_report.h"

namespace fansim::report {

using Json = nlohmann::ordered_json;

std::string counters_json(const RunReport& report) {
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "fansim"}, {"version", report.tool.version}, {"command", report.tool.command}};
  json["config"] = {{"name", report.config.name}, {"hash", report.config.hash}};
  json["network"] = {{"name", report.network.name}, {"hash", report.network.hash}};
  json["layers"] = Json::array();
  for (const contract::LayerResult& layer : report.layers) {
    Json blocks = Json::object();
    for (const contract::BlockCount& count : layer.counters) {
      blocks[count.block][count.counter] = count.value;
      json["counters"][count.block][count.counter] = {{"unit", count.unit}, {"meaning", count.meaning}};
    }
    json["layers"].push_back({{"name", layer.name}, {"cycles", layer.cycles}, {"blocks", blocks}});
  }
  return json.dump(2) + "\n";
}

}  // namespace fansim::report
