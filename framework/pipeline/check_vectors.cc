#include "framework/pipeline/check_vectors.h"

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "framework/nn/model.h"
#include "framework/text/vectors.h"
#include "registry/base/error.h"

namespace weft {

void check_vectors(const Language& nlp, const std::filesystem::path& folder) {
  const std::int64_t width = nlp.vocab()->vectors().width();
  for (const NamedComponent& pipe : nlp.pipeline()) {
    if (!pipe.enabled) continue;
    for (const ModelPtr& root : pipe.component->models()) {
      for (const Model* layer : root->walk()) {
        const std::string& dim = layer->vectors_dim();
        if (dim.empty() || layer->find_dim(dim).value_or(width) == width) continue;
        throw Error(ErrorKind::data,
                    fmt::format("{}: the word vectors have a width of {}, and the component '{}' "
                                "was trained with a width of {}",
                                (folder / "vocab" / "vectors").string(), width, pipe.name,
                                layer->dim(dim)));
      }
    }
  }
}

}  // namespace weft
