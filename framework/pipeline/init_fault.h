// Faults of the things that [initialize] names: vectors, labels, patterns, callbacks. They are told
// apart from faults of the examples, which a caller tells with their corpus.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/pipeline/callback.h"
#include "framework/pipeline/language.h"
#include "registry/base/error.h"
#include "registry/base/export.h"

namespace weft {

// The training data is not to blame, although the error knows no file.
class WEFT_API InitFault : public Error {
 public:
  InitFault(const Error& error, const std::string& source, Origin place)
      : Error(error.kind(), error.message() + "; the data is that of " + source, std::move(place)) {
  }
};

// Runs `part`, which uses the setting at `path` ("initialize.vectors"), or the settings `keys` of
// the section there. An Error(data) of it that knows no place becomes an InitFault with the place
// and the file of the setting, if `is_to_blame` says so then.
WEFT_API void run_blaming(const Language& nlp, const std::string& path,
                          const std::vector<std::string>& keys, const std::function<void()>& part,
                          const std::function<bool()>& is_to_blame);

// The same for one setting, which is to blame for all of them.
WEFT_API void run_blaming(const Language& nlp, const std::string& path,
                          const std::function<void()>& part);

// Calls the callback, if there is one, that the setting at `path` names: its errors of the config
// are told with the setting and its place as well.
WEFT_API void call_placed(const std::optional<Callback>& callback, Language& nlp,
                          const std::string& path);

}  // namespace weft
