// Gloo's engine, with phases in which a rank is lost.
#include "framework/comm/engine.h"

#include <dlfcn.h>

#include "registry/base/error.h"
#include "tests/plugins/losing/losing.h"

namespace losing {
namespace {

using weft::CommEngine;
using weft::DType;
using weft::ReduceOp;
using weft::Transfer;

// Those of the weights; the others are of facts about a step.
constexpr std::size_t kWeights = 10'000;

class LosingEngine final : public CommEngine {
 public:
  explicit LosingEngine(std::unique_ptr<CommEngine> inner) : inner_(std::move(inner)) {}

  int rank() const override { return inner_->rank(); }
  int size() const override { return inner_->size(); }
  void all_reduce(void* data, std::size_t elements, DType type, ReduceOp op) override {
    inner_->all_reduce(data, elements, type, op);
  }
  void reduce_scatter(const void* in, void* out, std::size_t elements, DType type,
                      ReduceOp op) override {
    inner_->reduce_scatter(in, out, elements, type, op);
  }
  void all_gather_v(const void* in, void* out, std::span<const std::size_t> bytes) override {
    std::size_t sum = 0;
    for (const std::size_t part : bytes) sum += part;
    if (sum > kWeights) met("gather");
    inner_->all_gather_v(in, out, bytes);
  }
  void all_to_all_v(const void* in, std::span<const std::size_t> to, void* out,
                    std::span<const std::size_t> from) override {
    met("reduce");
    inner_->all_to_all_v(in, to, out, from);
    reduced();
  }
  void broadcast(void* data, std::size_t bytes, int root) override {
    inner_->broadcast(data, bytes, root);
  }
  void barrier() override { inner_->barrier(); }
  std::unique_ptr<Transfer> send(const void* data, std::size_t bytes, int to,
                                 std::uint32_t tag) override {
    return inner_->send(data, bytes, to, tag);
  }
  std::unique_ptr<Transfer> receive(void* data, std::size_t bytes, int from,
                                    std::uint32_t tag) override {
    return inner_->receive(data, bytes, from, tag);
  }
  void abort(const std::string& reason) noexcept override { inner_->abort(reason); }
  std::string reason_of_abort() noexcept override { return inner_->reason_of_abort(); }

 private:
  std::unique_ptr<CommEngine> inner_;
};

}  // namespace
}  // namespace losing

extern "C" __attribute__((visibility("default"))) weft::CommEngine* weft_open_engine(
    const weft::Launch& launch, std::chrono::milliseconds wait) {
  void* library = dlopen(WEFT_GLOO_ENGINE, RTLD_NOW | RTLD_LOCAL);
  const auto open = library == nullptr
                        ? nullptr
                        : reinterpret_cast<weft::OpenEngine>(dlsym(library, weft::kEngineEntry));
  if (open == nullptr) throw weft::Error(weft::ErrorKind::usage, "there is no " WEFT_GLOO_ENGINE);
  losing::set_rank(launch.rank);
  losing::met("init");
  return new losing::LosingEngine(std::unique_ptr<weft::CommEngine>(open(launch, wait)));
}
