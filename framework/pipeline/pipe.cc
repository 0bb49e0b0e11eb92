// Many texts to documents.
#include <algorithm>
#include <utility>

#include "framework/pipeline/language.h"
#include "framework/pipeline/make_docs.h"
#include "framework/pipeline/worker_pool.h"

namespace weft {
namespace {

// Documents are given away before others are annotated, which may have many spans.
void give_annotated(const Language& nlp, std::span<const std::string> texts, WorkerPool& pool,
                    const std::function<void(Doc)>& take) {
  std::vector<Doc> docs = make_docs(texts.size(), nlp.vocab(), pool,
                                    [&](std::size_t i) { return nlp.make_doc(texts[i]); });
  std::vector<Doc*> pointers;
  pointers.reserve(docs.size());
  for (Doc& doc : docs) pointers.push_back(&doc);
  for (std::span<Doc* const> rest = pointers; !rest.empty();) {
    const std::size_t count = nlp.annotate_some(rest, pool);
    for (Doc* doc : rest.first(count)) take(std::move(*doc));
    rest = rest.subspan(count);
  }
}

std::size_t batch_size_of(const Language& nlp, const PipeOptions& options) {
  if (options.batch_size > 0) return options.batch_size;
  return static_cast<std::size_t>(std::max(1, nlp.settings().batch_size.value_or(1000)));
}

}  // namespace

std::vector<Doc> Language::pipe(std::span<const std::string> texts,
                                const PipeOptions& options) const {
  std::vector<Doc> docs;
  docs.reserve(texts.size());
  std::size_t next = 0;
  const auto source = [&]() -> std::optional<std::string> {
    if (next == texts.size()) return std::nullopt;
    return texts[next++];
  };
  pipe(
      source, [&](Doc doc) { docs.push_back(std::move(doc)); }, options);
  return docs;
}

void Language::pipe(const std::function<std::optional<std::string>()>& texts,
                    const std::function<void(Doc)>& take, const PipeOptions& options) const {
  const std::size_t size = batch_size_of(*this, options);
  WorkerPool pool(options.threads);
  std::vector<std::string> batch;
  for (bool more = true; more;) {
    batch.clear();
    while (batch.size() < size) {
      auto text = texts();
      more = text.has_value();
      if (!more) break;
      batch.push_back(std::move(*text));
    }
    give_annotated(*this, batch, pool, take);
  }
}

}  // namespace weft
