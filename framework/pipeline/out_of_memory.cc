#include "framework/pipeline/out_of_memory.h"

#include <new>

#include <fmt/format.h>

#include "framework/nn/run_formats.h"
#include "framework/pipeline/byte_size.h"
#include "registry/base/error.h"

namespace weft {
namespace {

std::string name_of(const Example& example) {
  const std::string place = example.place().str();
  if (!place.empty()) return place + ": ";
  return example.number() > 0 ? fmt::format("document {} of the corpus: ", example.number()) : "";
}

[[noreturn]] void fail(const Example& example, const std::string& why) {
  throw Error(ErrorKind::memory,
              fmt::format("{}a document of {} tokens is too long to train on: {}; cut it into "
                          "shorter documents, or set max_length of the corpus",
                          name_of(example), example.size(), why));
}

}  // namespace

bool fits_into_memory(const std::function<void()>& action, RunFormats* formats) {
  try {
    action();
    return true;
  } catch (const std::bad_alloc&) {
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::memory) throw;
  }
  if (formats != nullptr) formats->copies().forget_made();
  return false;
}

void check_document_sizes(const Batch& batch, const ShardBytes& bytes) {
  if (bytes.limit <= 0.0) return;
  for (std::size_t i = 0; i < batch.examples.size(); ++i) {
    const double wanted = bytes.of({i, i + 1});
    if (wanted <= bytes.limit) continue;
    fail(*batch.examples[i], fmt::format("it takes about {}, and [system] memory leaves {}",
                                         byte_size_text(wanted), byte_size_text(bytes.limit)));
  }
}

void throw_too_long(const Example& example) {
  fail(example, "there is not enough memory for it alone");
}

}  // namespace weft
