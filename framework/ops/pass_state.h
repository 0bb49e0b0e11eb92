// How a pass over a group of documents runs: forward only or to train, where the group stands in
// its batch, and the objects that it shares with the passes beside it.
#pragma once

#include <cstdint>

#include "framework/ops/work_sharing.h"
#include "registry/base/export.h"

namespace weft {

class Gradients;
class MaskSource;
class Slots;

class WEFT_API PassState {
 public:
  void predict() { training_ = false; }
  // Gradients of parameters are added to `gradients`, masks come from `masks`; both outlive the
  // step. `dropout` is the rate of the step, for layers that do not have their own.
  void train(double dropout, Gradients& gradients, MaskSource& masks) {
    training_ = true;
    dropout_ = dropout;
    gradients_ = &gradients;
    masks_ = &masks;
  }
  bool training() const { return training_; }
  double dropout() const { return dropout_; }
  // Throws Error(internal) outside of a training pass.
  Gradients& gradients() const;
  MaskSource& masks() const;

  // Where components hand their outputs to each other while this group of documents passes; null
  // outside a pipeline.
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

  // Nothing by default.
  const WorkSharing& sharing() const { return sharing_; }
  void share(const WorkSharing& sharing) { sharing_ = sharing; }

  // Components multiply the gradients of their losses by this, in f32, before anything else.
  float loss_scale() const { return loss_scale_; }
  void set_loss_scale(float scale) { loss_scale_ = scale; }

 private:
  friend class RowPlace;

  bool training_ = false;
  double dropout_ = 0.0;
  Gradients* gradients_ = nullptr;
  MaskSource* masks_ = nullptr;
  Slots* slots_ = nullptr;
  std::int64_t tokens_before_ = 0;
  std::int64_t docs_before_ = 0;
  std::int64_t rows_before_ = 0;
  WorkSharing sharing_;
  float loss_scale_ = 1.0F;
};

// Sets `rows_before` while it lives.
class RowPlace {
 public:
  RowPlace(PassState& pass, std::int64_t rows_before) : pass_(pass), saved_(pass.rows_before_) {
    pass_.rows_before_ = rows_before;
  }
  ~RowPlace() { pass_.rows_before_ = saved_; }
  RowPlace(const RowPlace&) = delete;
  RowPlace& operator=(const RowPlace&) = delete;

 private:
  PassState& pass_;
  std::int64_t saved_;
};

}  // namespace weft
