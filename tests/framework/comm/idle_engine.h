// One of two ranks whose operations do nothing; tests give it those that they are about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "framework/comm/engine.h"

namespace weft {

class IdleEngine : public CommEngine {
 public:
  explicit IdleEngine(int rank) : rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return 2; }
  void all_reduce(void*, std::size_t, DType, ReduceOp) override {}
  void reduce_scatter(const void*, void*, std::size_t, DType, ReduceOp) override {}
  void all_gather_v(const void*, void*, std::span<const std::size_t>) override {}
  void all_to_all_v(const void*, std::span<const std::size_t>, void*,
                    std::span<const std::size_t>) override {}
  void broadcast(void*, std::size_t, int) override {}
  void barrier() override {}
  std::unique_ptr<Transfer> send(const void*, std::size_t, int, std::uint32_t) override {
    return nullptr;
  }
  std::unique_ptr<Transfer> receive(void*, std::size_t, int, std::uint32_t) override {
    return nullptr;
  }
  void abort(const std::string&) noexcept override {}
  std::string reason_of_abort() noexcept override { return ""; }

 private:
  int rank_;
};

}  // namespace weft
