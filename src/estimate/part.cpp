// SPDX-License-Identifier: Apache-2.0
#include "estimate/part.h"

#include <cctype>
#include <map>
#include <regex>

namespace fansim::estimate {
namespace {

// Keeps letters and digits, in lower case, without the prefix of commercial, automotive and defence-grade parts.
std::string bare(const std::string& part) {
  std::string text;
  for (const char c : part)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  static const std::regex kPrefix("^x[acq]r?");
  return std::regex_replace(text.substr(0, 64), kPrefix, "");
}

// Cards and modules have part names of their own. Their devices are those of these parts: the same LUTs, flip-flops,
// block RAMs and DSP slices (DS962, DS963, DS965, DS987).
const std::map<std::string, std::string>& parts_of_cards() {
  static const std::map<std::string, std::string> kParts{{"u200", "vu9p"}, {"u250", "vu13p"}, {"u280", "vu37p"},
                                                         {"u50", "vu35p"}, {"u55c", "vu47p"}, {"k26", "zu5ev"}};
  return kParts;
}

}  // namespace

std::string silicon_of(const std::string& part) {
  static const std::regex kName(
      "^(7z[0-9]{3}s?|7[aks][0-9]+t?|7v[xh]?[0-9]+t|[kva]u[0-9]+p?|zu[0-9]+t?(cg|eg|ev|dr)|v[cehmpr][0-9]{4}|"
      "u55c|u[0-9]{2,3}|k2[46]).*");
  std::smatch found;
  const std::string name = bare(part);
  if (!std::regex_match(name, found, kName)) return "";
  const std::string silicon = found[1];
  const auto card = parts_of_cards().find(silicon);
  return card == parts_of_cards().end() ? silicon : card->second;
}

bool is_versal(const std::string& part) {
  static const std::regex kName("^(v[cehmpr][0-9]{4}|2v[emp][0-9]{4}|v80).*");
  return std::regex_match(bare(part), kName);
}

bool same_silicon(const std::string& a, const std::string& b) {
  const std::string silicon = silicon_of(a);
  if (!silicon.empty()) return silicon == silicon_of(b);
  return bare(a).rfind(bare(b), 0) == 0;
}

}  // namespace fansim::estimate
