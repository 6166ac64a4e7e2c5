// SPDX-License-Identifier: Apache-2.0
#include "arch/accelerator_config.h"

#include "arch/config_file.h"

namespace fansim::arch {

AcceleratorConfig load_config(const std::string& path, const std::vector<std::string>& overrides) {
  base::YamlMap top(load_config_document(path, overrides));
  if (read_system(top) == System::tiled) return load_tiled_config(path, overrides);
  return load_stream_config(path, overrides);
}

}  // namespace fansim::arch
