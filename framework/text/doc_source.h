// Documents that are had one after the other, from one file or several.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/text/doc.h"

namespace weft {

// The next document, or nothing at the end. Throws as the reader behind it.
using DocSource = std::function<std::optional<Doc>()>;

// The documents of `files` in order, one open at a time: `open` makes a reader (with `next`) of a
// file and gives it as a pointer.
template <class Open>
DocSource documents_of(std::vector<std::string> files, Open open) {
  using Reader = decltype(open(std::string()));
  struct State {
    std::vector<std::string> files;
    std::size_t opened = 0;
    Reader reader = nullptr;
  };
  const auto state = std::make_shared<State>(State{std::move(files)});
  return [state, open = std::move(open)]() -> std::optional<Doc> {
    while (true) {
      if (state->reader) {
        if (auto doc = state->reader->next()) return doc;
      }
      if (state->opened == state->files.size()) return std::nullopt;
      state->reader = nullptr;  // one file open at a time
      state->reader = open(state->files[state->opened++]);
    }
  };
}

}  // namespace weft
