// Where ops run: device, stream, memory, random numbers, and where gradients go. One Context for
// each shard; layers see nothing else of the machine.
//
//   Tensor y = ctx.empty({rows, width});
//   ctx.run<LayerNormForward>(x, gain, bias, y.view(), stats.view(), eps);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "framework/ops/kernel.h"
#include "framework/ops/op_casts.h"
#include "framework/ops/op_profile.h"
#include "framework/ops/random.h"
#include "framework/ops/work_sharing.h"
#include "framework/precision/format.h"
#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

class Gradients;
class PassFormats;
class PassObserver;
class ResidentWeights;
class Slots;

enum class Pass { predict, train };

// Decides which elements dropout keeps. Replaceable, so that a runner can replay recorded masks.
// Masks are filled on the host, unless they are random draws alone.
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
  // The draws of a site, for devices that fill masks themselves (DropoutMask).
  virtual std::optional<RandomStream> draws(std::string_view) const { return std::nullopt; }
};

// Masks from counter-based random numbers.
class WEFT_API CounterMasks final : public MaskSource {
 public:
  CounterMasks(std::uint64_t seed, std::uint64_t step) : seed_(seed), step_(step) {}
  void fill(std::string_view site, std::int64_t offset, double rate, View mask) override;
  void fill_rows(std::string_view site, std::span<const std::int64_t> offsets, double rate,
                 View mask) override;
  std::optional<RandomStream> draws(std::string_view site) const override {
    return RandomStream(seed_, step_, site_hash(site));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t step_;
};

class WEFT_API Context {
 public:
  // On the CPU, memory from a private arena.
  Context();
  // Memory from an arena on that stream's device. Several contexts may queue on one stream.
  explicit Context(std::shared_ptr<Stream> stream);
  // On a stream of its own. Throws Error(device) if no backend is loaded.
  explicit Context(Device device);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  Device device() const { return stream_->device(); }
  bool on_cpu() const { return stream_->is_cpu(); }
  Stream& stream() { return *stream_; }
  // What a step allocates; valid until `end_step`.
  Allocator& allocator() { return arena_; }
  Arena& arena() { return arena_; }
  // Takes back all memory of the step; tensors made by this context become invalid.
  void end_step();

  // Arrays of the context's device.
  Tensor empty(Shape shape, DType dtype = DType::f32) { return {arena_, shape, dtype}; }
  Tensor zeros(Shape shape, DType dtype = DType::f32);
  void fill_zero(Tensor& tensor);
  // Copies the elements of a tensor of the same shape and type that lies here too.
  void copy(const Tensor& from, Tensor& to);

  // Writes the numbers of `from` to `to`, rounded to nearest even where that is narrower: matrices
  // of the same shape here, of f32, f16 or bf16. No policy, not watched.
  void cast(ConstView from, View to);

  // ---- between the host and the device. On the CPU there is but one memory, and nothing is
  // copied. An array that the host fills; contents undefined.
  Tensor host_array(Shape shape, DType dtype = DType::f32);
  // A host tensor in the device's memory; it stays as it is until the end of the step. A tensor
  // that lies there comes back itself.
  Tensor placed(const Tensor& tensor);
  // Plain structs for a kernel that takes a pointer; the values are read at once.
  template <class T>
  const T* placed_array(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return static_cast<const T*>(placed_bytes(values.data(), values.size_bytes()));
  }
  // A tensor in the host's memory, to read: waits for what was queued.
  Tensor on_host(const Tensor& tensor);
  // Hands one number (f64) over: at once on the CPU, else when `settle` is called, which waits for
  // all of them together.
  void read_later(const Tensor& number, std::function<void(double)> take);
  void settle();
  // From now on ops that are given tracked weights of the host get their copies on the device,
  // which outlive the context. Null on the CPU.
  void use(ResidentWeights* weights) { weights_ = weights; }
  ResidentWeights* weights() const { return weights_; }
  // A weight as ops here get it.
  Tensor resident(const Tensor& weight) const;
  ConstView resident(ConstView view) const;
  View resident(View view) const;

  // Runs an op, with the casts that the policy asks for. Throws Error(device) if it has no kernel
  // here, Error(config) for an op that refuses 16-bit inputs.
  template <class Op, class... A>
  void run(A&&... arguments) {
    if (profile_ != nullptr) {
      const auto start = OpProfile::Clock::now();
      const auto casts = run_unmeasured<Op>(arguments...);
      const auto time = OpProfile::Clock::now() - start - casts;
      profile_->add(layer_, Op::name, time, flops_of<Op>(arguments...),
                    (bytes_of(arguments) + ... + 0.0));
      if (casts.count() > 0) profile_->add(layer_, OpProfile::casts, casts, 0.0, 0.0);
    } else {
      run_unmeasured<Op>(arguments...);
    }
  }
  // An array for what Op makes of `inputs`, in the format that the policy gives it: f32 without
  // one. Contents undefined.
  template <class Op, class... Inputs>
  Tensor result(Shape shape, const Inputs&... inputs) {
    if (formats_ == nullptr) return empty(shape);
    const ConstView views[] = {ConstView(inputs)...};
    return empty(shape, result_type(slot_of<Op>(), views));
  }
  template <class Op>
  Tensor result_of(Shape shape, std::span<const ConstView> inputs) {
    return formats_ == nullptr ? empty(shape) : empty(shape, result_type(slot_of<Op>(), inputs));
  }
  // An array for the result of an op in a format that the layer at hand chooses itself: the policy
  // leaves it alone, and plans count it (P061). f32 where no policy is followed.
  Tensor result_in(DType type, Shape shape);
  // An array for the gradient of `of`, which Op makes on the way back: 16 bits wide if that is what
  // Op gives, else in the format of `of`.
  template <class Op>
  Tensor gradient(const Tensor& of) {
    if (formats_ == nullptr) return empty(of.shape());
    return empty(of.shape(), gradient_type(slot_of<Op>(), of));
  }
  // The formats of what Op gives for `input`, and of what its inputs are cast to: f32 if they are
  // left alone.
  template <class Op>
  NumberFormat result_format(ConstView input) const {
    return formats_ == nullptr ? NumberFormat::f32 : result_format(slot_of<Op>(), input);
  }
  template <class Op>
  NumberFormat input_format() const {
    return formats_ == nullptr ? NumberFormat::f32 : input_format(slot_of<Op>());
  }
  // The f32 numbers that Op is given for `tensor`: the tensor itself unless the policy casts it.
  template <class Op>
  Tensor seen_by(const Tensor& tensor) {
    return formats_ == nullptr ? resident(tensor) : cast_for(slot_of<Op>(), tensor);
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

  // What this pass shares with others; nothing by default.
  const WorkSharing& sharing() const { return sharing_; }
  void share(const WorkSharing& sharing) { sharing_ = sharing; }

  // ---- number formats (docs/precision.md). Null: f32 throughout, nothing is cast.
  PassFormats* formats() const { return formats_; }
  void follow(PassFormats* formats) { formats_ = formats; }
  // Components multiply the gradients of their losses by this, in f32, before anything else.
  float loss_scale() const { return loss_scale_; }
  void set_loss_scale(float scale) { loss_scale_ = scale; }
  // The path of the layer that runs ("components.ner.model.chain.linear"); "" outside of layers.
  std::string_view layer() const { return layer_; }
  PassObserver* observer() const { return observer_; }
  void observe(PassObserver* observer) { observer_ = observer; }
  // Whether somebody wants to know which layer an op runs in.
  bool tells_layers_apart() const {
    return formats_ != nullptr || observer_ != nullptr || profile_ != nullptr;
  }
  bool profiles() const { return profile_ != nullptr; }

 private:
  // Gives the time that casts took, where it is measured.
  template <class Op, class... A>
  OpProfile::Clock::duration run_unmeasured(A&... arguments) {
    const auto kernel = kernel_of<Op>(device().kind);
    if (formats_ != nullptr) return run_cast(slot_of<Op>(), kernel, arguments...);
    if (weights_ != nullptr) {
      run_resident(kernel, arguments...);
    } else {
      kernel(*stream_, arguments...);
    }
    return {};
  }
  // Weights are found by where they lie on the host.
  template <class P, class A>
  decltype(auto) as_resident(A& argument) const {
    if constexpr (std::is_same_v<P, ConstView> || std::is_same_v<P, View>) {
      return resident(P(argument));
    } else {
      return (argument);
    }
  }
  template <class... P, class... A>
  void run_resident(void (*kernel)(Stream&, P...), A&... arguments) {
    kernel(*stream_, as_resident<P>(arguments)...);
  }
  template <class... P, class... A>
  OpProfile::Clock::duration run_cast(const KernelSlot& op, void (*kernel)(Stream&, P...),
                                      A&... arguments) {
    OpCasts casts(*this, op);
    (casts.look_at<P>(arguments), ...);
    kernel(*stream_, casts.pass<P>(arguments)...);
    casts.finish();
    return casts.time();
  }
  DType result_type(const KernelSlot& op, std::span<const ConstView> inputs) const;
  DType gradient_type(const KernelSlot& op, const Tensor& of) const;
  NumberFormat result_format(const KernelSlot& op, ConstView input) const;
  NumberFormat input_format(const KernelSlot& op) const;
  Tensor cast_for(const KernelSlot& op, const Tensor& tensor);
  const void* placed_bytes(const void* values, std::size_t bytes);

  std::shared_ptr<Stream> stream_;
  Arena arena_;
  // Both unused on the CPU: host memory for copies, and memory of the casts of one op.
  Arena staging_, cast_memory_;
  friend class OpCasts;
  struct Reading {
    const double* number;
    std::function<void(double)> take;
  };
  std::vector<Reading> readings_;
  ResidentWeights* weights_ = nullptr;
  Pass pass_ = Pass::predict;
  double dropout_ = 0.0;
  Gradients* gradients_ = nullptr;
  MaskSource* masks_ = nullptr;
  Slots* slots_ = nullptr;
  WorkSharing sharing_;
  std::int64_t tokens_before_ = 0;
  std::int64_t docs_before_ = 0;
  friend class RowPlace;
  std::int64_t rows_before_ = 0;
  friend class LayerScope;
  PassFormats* formats_ = nullptr;
  float loss_scale_ = 1.0F;
  std::string_view layer_;
  PassObserver* observer_ = nullptr;
  OpProfile* profile_ = OpProfile::current();
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

// Says which layer runs while it lives; the path outlives it.
class LayerScope {
 public:
  LayerScope(Context& ctx, std::string_view path) : ctx_(ctx), saved_(ctx.layer_) {
    ctx_.layer_ = path;
  }
  ~LayerScope() { ctx_.layer_ = saved_; }
  LayerScope(const LayerScope&) = delete;
  LayerScope& operator=(const LayerScope&) = delete;

 private:
  Context& ctx_;
  std::string_view saved_;
};

}  // namespace weft
