#include "framework/pipeline/check_vectors.h"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "framework/nn/model.h"
#include "framework/text/vectors.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::string_view kLayer = "static_vectors";  // as model files name it, those of spaCy too

}  // namespace

void check_vectors(const Language& nlp, const std::filesystem::path& folder) {
  const std::int64_t width = nlp.vocab()->vectors().width();
  for (const NamedComponent& pipe : nlp.pipeline()) {
    if (!pipe.enabled) continue;
    for (const ModelPtr& root : pipe.component->models()) {
      for (const Model* layer : root->walk()) {
        if (layer->name() != kLayer || layer->find_dim("nM").value_or(width) == width) continue;
        throw Error(ErrorKind::data,
                    fmt::format("{}: the word vectors have a width of {}, and the component '{}' "
                                "was trained with a width of {}",
                                (folder / "vocab" / "vectors").string(), width, pipe.name,
                                layer->dim("nM")));
      }
    }
  }
}

}  // namespace weft
