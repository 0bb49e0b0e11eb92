// The copies of weights that a device works with. Weights stay where they are on the host: layers
// hand them to ops as ever, and the copy is found by where the weight's numbers lie. While a device
// trains it has the truth; `fetch` brings it back before anybody looks at the host's numbers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "framework/nn/parameter.h"
#include "framework/ops/resident_weights.h"
#include "framework/tensor/stream.h"
#include "registry/base/export.h"

namespace weft {

class Context;

class WEFT_API DeviceWeights final : public ResidentWeights {
 public:
  explicit DeviceWeights(std::shared_ptr<Stream> stream);
  ~DeviceWeights() override;

  const std::shared_ptr<Stream>& stream() const { return stream_; }
  // A context on that stream that uses these weights. When its owner is gone it waits for the next
  // one who asks, since page-locked memory takes long to get; its device memory is given back.
  std::shared_ptr<Context> context();

  // ---- called while nothing runs
  // These are the weights from now on, which outlive this; those that changed on the host since the
  // last call are sent to the device. By any thread as long as nothing has changed. Throws
  // Error(internal) for a weight that both sides have changed, Error(memory).
  void refresh(std::span<Parameter* const> parameters);
  // Where the device's copy was changed, the host's numbers become the same. Waits for the device.
  void fetch();
  // The device's copy, to write to: it is ahead of the host from now on, and the parameter's
  // version grows.
  Tensor& written(Parameter& parameter);
  // The same, and the copy becomes the other array of the device, which gets the copy. Where they
  // have different types (O3: averages are f32) the host's array gets the new one too.
  void exchange(Parameter& parameter, Tensor& other);

  // ---- by any thread while the weights stay as they are
  Tensor resident(const Tensor& weight) const override;
  const void* resident(const void* host) const override;
  bool is_ahead() const;

 private:
  struct Entry {
    Parameter* parameter = nullptr;
    std::uint64_t version = 0;  // of what the device has
    const char* host = nullptr;
    Tensor copy;
    bool ahead = false;
  };
  static bool is_current(const Entry& entry);
  bool all_current(std::span<Parameter* const> parameters) const;
  const Entry* find(const void* host) const;
  void send(Entry& entry);
  void index();

  struct Idle;
  std::shared_ptr<Stream> stream_;
  std::shared_ptr<Idle> idle_;
  std::mutex mutex_;  // of refresh
  std::map<const Parameter*, Entry> entries_;
  std::map<const char*, const Entry*> by_address_;
};

}  // namespace weft
