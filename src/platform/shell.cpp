// SPDX-License-Identifier: Apache-2.0
#include "platform/shell.h"

namespace fansim::platform {

Shell::Shell(const sc_core::sc_module_name& name, Frame& frame, const std::vector<std::string>& ports,
             const contract::DdrConfig& ddr, const contract::AxiConfig& axi)
    : Shell(name, frame) {
  contract::MemoryImage&& image = std::move(frame.program.memory);
  if (ports.size() == 1)
    memory_.push_back(frame.make_ddr(ports.front().c_str(), ddr, axi, std::move(image)));
  else
    memory_ = memory::make_ddr_ports(ports, ddr, axi, std::move(image));
  for (auto& port : memory_) has_port(*port);
}

Shell::~Shell() = default;

void Shell::quiesce() {
  for (memory::Ddr* port : ports_) port->quiesce();
}

void Shell::make_host(const contract::HostConfig& config, Interrupts interrupts) {
  host_ = std::make_unique<Host>("host", config, frame_.program.ops, std::move(interrupts), std::move(frame_.hooks));
}

void Shell::without_dma(const char* request, const char* response) {
  unused_.reset(new Unused{sim::Stream<axi::LiteRequest>(request), sim::Stream<axi::LiteResponse>(response)});
  host_->dma(unused_->request);
  host_->dma_response(unused_->response);
}

}  // namespace fansim::platform
