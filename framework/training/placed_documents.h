// Documents of files, with the place of each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/text/doc_source.h"
#include "framework/text/example.h"

namespace weft {

// Hands on the documents of a reader; `place` is that of the last one.
template <class Reader>
class PlacedReader {
 public:
  PlacedReader(const std::string& file, std::unique_ptr<Reader> reader,
               std::shared_ptr<ExamplePlace> place)
      : file_(std::make_shared<const std::string>(file)),
        reader_(std::move(reader)),
        place_(std::move(place)) {}

  std::optional<Doc> next() {
    auto doc = reader_->next();
    if (doc) *place_ = {file_, line(), ++documents_};
    return doc;
  }

 private:
  int line() const {
    if constexpr (requires { reader_->first_line(); }) {
      return static_cast<int>(reader_->first_line());
    } else if constexpr (requires { reader_->line(); }) {
      return static_cast<int>(reader_->line());
    } else {
      return 0;
    }
  }

  std::shared_ptr<const std::string> file_;
  std::unique_ptr<Reader> reader_;
  std::shared_ptr<ExamplePlace> place_;
  std::int64_t documents_ = 0;
};

// As documents_of; `open` gives a std::unique_ptr to a reader. After each document `place` says
// where it stands.
template <class Open>
DocSource placed_documents(std::vector<std::string> files, Open open,
                           std::shared_ptr<ExamplePlace> place) {
  using Reader = typename decltype(open(std::string()))::element_type;
  return documents_of(std::move(files),
                      [open = std::move(open), place = std::move(place)](const std::string& file) {
                        return std::make_unique<PlacedReader<Reader>>(file, open(file), place);
                      });
}

}  // namespace weft
