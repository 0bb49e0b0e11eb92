// Functions of the user's own at fixed points of a pipeline's life. Named by `@callbacks`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "framework/pipeline/scores.h"
#include "registry/base/export.h"
#include "registry/functions/type.h"

namespace weft {

class Language;

// The arguments of a callback; `step` and `epoch` are -1 outside training.
struct CallbackCall {
  Language& nlp;
  std::int64_t step = -1;
  std::int64_t epoch = -1;
  // before_to_disk may set this: it is saved in the place of `nlp`.
  std::shared_ptr<const Language> save_instead = nullptr;
};

struct Callback {
  std::function<void(CallbackCall&)> call;
};

template <>
struct ProductTraits<Callback> {
  static constexpr std::string_view kind = "callbacks", name = "callback";
  static constexpr bool callable = true;
};

}  // namespace weft
