// A component that changes documents one by one and has neither settings nor files.
#pragma once

#include "framework/pipeline/component.h"
#include "framework/pipeline/score_sessions.h"

namespace weft {

class StatelessComponent : public Component {
 public:
  void initialize(InitContext&) override {}
  void predict(Context&, std::span<Doc* const> docs, Slots&) const override {
    for (Doc* doc : docs) change(*doc);
  }
  bool shows_labels() const override { return false; }
  ScoreSessionPtr start_scores() const override { return no_scores(); }

 protected:
  virtual void change(Doc& doc) const = 0;
};

}  // namespace weft
