#include "framework/pipeline/vectors_factory.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

VectorsFactory spacy_vectors() {
  return {};
}

const Registration registered{"spacy.Vectors.v1", spacy_vectors,
                              "a table with a row for each word"};

}  // namespace
}  // namespace weft
