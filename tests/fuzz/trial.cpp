// SPDX-License-Identifier: Apache-2.0
#include "fuzz/trial.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <typeinfo>

#include "base/error.h"
#include "base/interrupt.h"
#include "cli/options/exit_code.h"
#include "fuzz/allocations.h"
#include "fuzz/call.h"
#include "sim/violation.h"

namespace fansim::test {
namespace {

int run(const Target& target, const std::string& path) {
  if (!target.read) return call(target.arguments(path));
  target.read(path);
  return cli::kDone;
}

}  // namespace

Trial attempt(const Target& target, const std::string& content) {
  const std::string path = std::filesystem::absolute(target.file);
  std::ofstream(path) << content;
  std::filesystem::remove_all("out");
  Trial trial;
  forget_peak();
  try {
    trial.code = run(target, path);
  } catch (const base::UserError& error) {
    trial.code = cli::kUserError;
    trial.said = error.what();
  } catch (const base::Interrupted&) {
    trial.code = cli::kInterrupted;
    return trial;
  } catch (const sim::Violation& violation) {
    trial.code = cli::kViolation;
    if (target.codes.count(trial.code) == 0) trial.fault = violation.what();
  } catch (const std::exception& error) {
    trial.code = cli::kViolation;
    trial.fault = fmt::format("{}: {}", typeid(error).name(), error.what());
  }
  if (trial.fault.empty() && target.codes.count(trial.code) == 0) trial.fault = fmt::format("exit {}", trial.code);
  const std::size_t bytes = peak_bytes(), most = most_bytes(target, content.size());
  if (trial.fault.empty() && bytes > most)
    trial.fault = fmt::format("memory: {} MiB for {} bytes, more than {} MiB", bytes >> 20, content.size(), most >> 20);
  return trial;
}

}  // namespace fansim::test
