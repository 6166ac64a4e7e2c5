// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/output_writer.h"

#include <algorithm>

#include "contract/dma_map.h"

namespace fansim::stream {

OutputWriter::OutputWriter(const sc_core::sc_module_name& name, const ArrayConfig& config, memory::PingPong& buffer,
                           const axi::DmaRegisters& dma_registers)
    : sim::Module(name),
      word_bytes_(config.word_bytes()),
      pixel_bytes_(config.pixel_bytes()),
      buffer_(buffer),
      dma_registers_(dma_registers) {}

void OutputWriter::step() {
  namespace map = contract::dma_map;
  if (waiting_response_) {
    if (!dma_response.can_pop()) return;
    dma_response.pop();
    waiting_response_ = false;
    state_ = after_response_;
  }
  switch (state_) {
    case State::idle:
      if (tiles.empty()) {
        sleep();
        return;
      }
      if (tiles.can_pop()) begin_tile();
      break;
    case State::address:
      request(map::kS2mmDa, destination(), State::length);
      break;
    case State::length:
      request(map::kS2mmLength, static_cast<std::uint32_t>(shape_.bytes), State::send);
      break;
    case State::send:
      send();
      break;
    case State::wait:
      if (dma_registers_.s2mm_introut()) state_ = State::clear;
      break;
    case State::clear:
      next_transfer();
      break;
  }
}

void OutputWriter::begin_tile() {
  tile_ = tiles.pop();
  shape_ = shape_of(tile_.job, word_bytes_, pixel_bytes_);
  row_ = plane_ = read_ = offset_ = 0;
  state_ = State::address;
}

std::uint32_t OutputWriter::destination() const {
  return tile_.job.output_base +
         static_cast<std::uint32_t>(row_ * tile_.job.row_pitch + plane_ * tile_.job.plane_pitch);
}

void OutputWriter::request(std::uint32_t address, std::uint32_t value, State next) {
  if (!dma.can_push()) return;
  dma.push(axi::LiteRequest{true, address, value});
  waiting_response_ = true;
  after_response_ = next;
}

void OutputWriter::send() {
  if (pipeline_.out_valid()) {
    if (!words.can_push()) {
      ++stalls_;
      return;
    }
    words.push(pipeline_.out());
    if (pipeline_.out().last) state_ = State::wait;
  }
  pipeline_.advance();
  if (read_ == shape_.bytes) return;
  axi::Word& word = pipeline_.enter();
  std::copy_n(buffer_.read(tile_.half, offset_ + read_, word_bytes_), word_bytes_, word.data.data());
  word.bytes = word_bytes_;
  read_ += word_bytes_;
  word.last = read_ == shape_.bytes;
  bytes_ += word_bytes_;
}

void OutputWriter::next_transfer() {
  if (!dma.can_push()) return;
  ++transfers_;
  offset_ += read_;
  read_ = 0;
  State next = State::address;
  if (++plane_ == shape_.planes) {
    plane_ = 0;
    if (++row_ == shape_.rows) {
      next = State::idle;
      buffer_.fetched(tile_.half);
      if (tile_.job.end_of_layer) layers_done_.set(layers_done_.next() + 1);
    }
  }
  request(contract::dma_map::kS2mmDmasr, contract::dma_map::kSrIocIrq, next);
}

}  // namespace fansim::stream
