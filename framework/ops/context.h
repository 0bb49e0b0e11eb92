// Where ops run: device, stream, memory, random numbers, and where gradients go. One Context for
// each shard; layers see nothing else of the machine.
//
//   Tensor y = ctx.empty({rows, width});
//   ctx.run<LayerNormForward>(x, gain, bias, y.view(), stats.view(), eps);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "framework/ops/kernel.h"
#include "framework/tensor/tensor.h"
#include "registry/export.h"

namespace weft {

class Gradients;
class Slots;

enum class Pass { predict, train };

// Decides which elements dropout keeps. Replaceable, so that a runner can replay recorded masks.
class WEFT_API MaskSource {
 public:
  virtual ~MaskSource() = default;
  // Fills `mask` (f32, any shape) with 0 where `rate` drops and 1/(1-rate) where it keeps. `site`
  // names the layer ("tok2vec/36/dropout"); `offset` is the number of elements that the shards
  // before this one have at this site, so that a mask does not depend on how a batch was cut.
  virtual void fill(std::string_view site, std::int64_t offset, double rate, View mask) = 0;
  // A mask (rows, width) of which row i starts at element `offsets[i]` of the site. By default the
  // mask is filled as a whole, from element 0 on: for sources that know a batch in one piece.
  virtual void fill_rows(std::string_view site, std::span<const std::int64_t> offsets, double rate,
                         View mask);
};

// Masks from counter-based random numbers.
class WEFT_API CounterMasks final : public MaskSource {
 public:
  CounterMasks(std::uint64_t seed, std::uint64_t step) : seed_(seed), step_(step) {}
  void fill(std::string_view site, std::int64_t offset, double rate, View mask) override;
  void fill_rows(std::string_view site, std::span<const std::int64_t> offsets, double rate,
                 View mask) override;

 private:
  std::uint64_t seed_;
  std::uint64_t step_;
};

class WEFT_API Context {
 public:
  // On the CPU, memory from a private arena.
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  Device device() const { return stream_->device(); }
  Stream& stream() { return *stream_; }
  // What a step allocates; valid until `end_step`.
  Allocator& allocator() { return arena_; }
  Arena& arena() { return arena_; }
  // Takes back all memory of the step; tensors made by this context become invalid.
  void end_step() { arena_.reset(); }

  Tensor empty(Shape shape, DType dtype = DType::f32) { return {arena_, shape, dtype}; }
  Tensor zeros(Shape shape, DType dtype = DType::f32);

  // Runs an op. Throws Error(device) if it has no kernel here.
  template <class Op, class... A>
  void run(A&&... arguments) {
    kernel_of<Op>(device().kind)(*stream_, static_cast<A&&>(arguments)...);
  }
  // Throws Error(device) now rather than in the first step.
  template <class Op>
  void require() {
    static_cast<void>(kernel_of<Op>(device().kind));
  }

  Pass pass() const { return pass_; }
  bool training() const { return pass_ == Pass::train; }
  double dropout() const { return dropout_; }
  void predict() { pass_ = Pass::predict; }
  // Gradients of parameters are added to `gradients`, masks come from `masks`; both outlive the
  // step.
  void train(double dropout, Gradients& gradients, MaskSource& masks);

  // The mask of a dropout site (see MaskSource). Only in a training pass.
  Tensor dropout_mask(std::string_view site, Shape shape, double rate, std::int64_t offset = 0);
  // One row for each of `offsets` (see MaskSource::fill_rows).
  Tensor dropout_mask_rows(std::string_view site, std::span<const std::int64_t> offsets,
                           std::int64_t width, double rate);
  Gradients& gradients();

  // What components hand to each other while this group of documents passes; null outside a
  // pipeline.
  Slots* slots() const { return slots_; }
  void set_slots(Slots* slots) { slots_ = slots; }

  // Where the group stands in its batch: tokens and documents of the shards before it, for the
  // `offset` of masks that have a row for each token.
  std::int64_t tokens_before() const { return tokens_before_; }
  std::int64_t docs_before() const { return docs_before_; }
  void set_place(std::int64_t tokens_before, std::int64_t docs_before) {
    tokens_before_ = tokens_before;
    docs_before_ = docs_before;
    rows_before_ = tokens_before;
  }
  // Rows of the shards before this one in the layout at hand: tokens_before, unless a layer that
  // adds padding has laid the rows out in its own way (see RowPlace).
  std::int64_t rows_before() const { return rows_before_; }

 private:
  std::unique_ptr<Stream> stream_;
  Arena arena_;
  Pass pass_ = Pass::predict;
  double dropout_ = 0.0;
  Gradients* gradients_ = nullptr;
  MaskSource* masks_ = nullptr;
  Slots* slots_ = nullptr;
  std::int64_t tokens_before_ = 0;
  std::int64_t docs_before_ = 0;
  friend class RowPlace;
  std::int64_t rows_before_ = 0;
};

// Sets `rows_before` while it lives.
class RowPlace {
 public:
  RowPlace(Context& ctx, std::int64_t rows_before) : ctx_(ctx), saved_(ctx.rows_before_) {
    ctx_.rows_before_ = rows_before;
  }
  ~RowPlace() { ctx_.rows_before_ = saved_; }
  RowPlace(const RowPlace&) = delete;
  RowPlace& operator=(const RowPlace&) = delete;

 private:
  Context& ctx_;
  std::int64_t saved_;
};

}  // namespace weft
