// Which layer makes a number that is not finite: listens to a pass that is run again.
#pragma once

#include <string>
#include <vector>

#include "framework/ops/pass_observer.h"
#include "framework/precision/divergence.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API OriginFinder final : public PassObserver {
 public:
  bool wants_layers() const override { return true; }
  void went_forward(std::string_view layer, bool finite) override;
  void went_back(std::string_view layer, bool incoming_finite, bool outgoing_finite) override;

  // The first layer whose output was not finite; "" if all were.
  const std::string& first_bad_output() const { return first_bad_output_; }
  // The latest layer in forward order that was given a finite gradient and made one that is not;
  // "" if there is none.
  std::string overflow() const;

 private:
  struct Back {
    std::string layer;
    bool incoming_finite, outgoing_finite;
  };
  std::string first_bad_output_;
  std::vector<Back> backward_;  // in the order of the backward pass
};

}  // namespace weft
