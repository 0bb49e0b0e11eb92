// 16-bit copies of f32 weights. A copy is made at first use after its weight has changed, once for
// all users, or written by the optimizer with the weight; it is found by where the weight's numbers
// lie: layers hand over their weights as ever. Source: docs/precision.md, "Weight copies".
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "framework/nn/parameter.h"
#include "registry/base/export.h"

namespace weft {

class Context;

class WEFT_API WeightCopies {
 public:
  explicit WeightCopies(DType type);  // f16 or bf16
  ~WeightCopies();

  DType type() const { return type_; }
  // From now on there is a copy of this parameter, which outlives the table. `site`: its name in
  // messages.
  void track(const Parameter& parameter, std::string site);
  // Drops the copies of what has changed. Called while nothing runs: before a step, before
  // predictions.
  void refresh();
  // Copies on a device are made anew when they are used next: work that was given up there may have
  // left them as they were. By any thread.
  void forget_made();
  // The copy of the f32 weight whose numbers begin at `data` on the host; null if it is not
  // tracked. By any thread. Throws Error(internal) for a weight that has changed since `refresh`:
  // P090.
  const Tensor* find(const void* data) { return find(data, nullptr); }
  // The same on the device of that context, made of the device's copy of the weight.
  const Tensor* find(const void* data, Context* ctx);
  // Where an optimizer on the host may write the 16-bit numbers of the weight that it changes,
  // while it has those in f32 at hand; empty for a weight that has no copy, as nobody used one.
  View place_of(const Parameter& parameter);
  // It did, and the weight has the version that belongs to them.
  void written(const Parameter& parameter);
  // How many copies were made so far.
  std::int64_t casts() const;

 private:
  struct Entry;
  void index();
  DType type_;
  std::mutex mutex_;  // of refresh
  std::map<const Parameter*, std::unique_ptr<Entry>> entries_;
  std::unordered_map<const void*, Entry*> by_data_;
};

}  // namespace weft
