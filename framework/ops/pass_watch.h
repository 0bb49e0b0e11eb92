// Which layer of a pass runs, and the objects that are told of it: an observer of number formats
// and a profile of times. Nobody watches by default.
#pragma once

#include <string_view>

#include "framework/ops/op_profile.h"
#include "framework/ops/pass_observer.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API PassWatch {
 public:
  // The path of the layer that runs ("components.ner.model.chain.linear"); "" outside of layers.
  std::string_view layer() const { return layer_; }
  PassObserver* observer() const { return observer_; }
  void observe(PassObserver* observer) { observer_ = observer; }
  // The profile that was current when the pass was made.
  OpProfile* profile() const { return profile_; }

 private:
  friend class LayerScope;

  std::string_view layer_;
  PassObserver* observer_ = nullptr;
  OpProfile* profile_ = OpProfile::current();
};

// Says which layer runs while it lives; the path outlives it.
class LayerScope {
 public:
  LayerScope(PassWatch& watch, std::string_view path) : watch_(watch), saved_(watch.layer_) {
    watch_.layer_ = path;
  }
  ~LayerScope() { watch_.layer_ = saved_; }
  LayerScope(const LayerScope&) = delete;
  LayerScope& operator=(const LayerScope&) = delete;

 private:
  PassWatch& watch_;
  std::string_view saved_;
};

}  // namespace weft
