// Any bytes as the edit trees of a lemmatizer, as the file `trees` or as JSON of labels: refused,
// or they can be used, written and read again.
#include "framework/tagging/edit_trees.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

namespace {

using weft::EditTrees;

void use(const EditTrees& trees) {
  for (std::size_t i = 0; i < trees.size(); ++i) {
    for (const char* form : {"", "noun", "NOUN", "running", "\xC3\xA9t\xC3\xA9"}) {
      (void)trees.apply(static_cast<weft::TreeNumber>(i), form);
    }
  }
  const weft::List list = trees.to_list();
  const EditTrees again = EditTrees::from_list(weft::Node(list), "fuzz");
  weft::fuzz::check(again.to_bytes() == trees.to_bytes(), "written anew they differ",
                    std::to_string(trees.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text = weft::as_text(data + 1, size - 1);
  try {
    if (data[0] == 'f') {
      use(EditTrees::from_bytes(text, "fuzz", weft::symbol_name));
    } else if (const auto json = weft::parse_json(text)) {
      use(EditTrees::from_list(*json, "fuzz"));
    }
  } catch (const weft::Error&) {
  }
  return 0;
}
