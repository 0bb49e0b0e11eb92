// weft.confidence.v1: fits the confidences of entities to held-out data whenever a pipeline is
// saved, so that the pipeline saved last has those of its weights (docs/confidence.md). One that
// finds too few entities, as at the first save of a new one, is saved without.
#include <string>
#include <vector>

#include "framework/parser/confidence_fit.h"
#include "framework/pipeline/callback.h"
#include "framework/pipeline/language.h"
#include "framework/training/reader.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Confidence {
  Reader corpus;
  std::vector<std::string> components;
  std::string data = "the corpus of weft.confidence.v1";
};

template <class V>
void fields(V& v, Confidence& c) {
  v.required("corpus", c.corpus, "annotated documents that the pipeline is not trained on");
  v("components", c.components, "recognizers that are fitted; none named: all with factory ner");
  v("data", c.data, "what the file says of the documents");
}

// A pipeline that cannot be used yet is the fault of the setting that names the callback.
void fit(const Confidence& c, Language& nlp, const std::string& component) {
  try {
    calibrate(nlp, component, *c.corpus.open(nlp), c.data);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    throw Error(ErrorKind::config, "weft.confidence.v1: " + error.message(), error.place());
  }
}

Callback confidence(const Confidence& c) {
  return {[c](CallbackCall& call) {
    const auto names = c.components.empty() ? greedy_recognizers(call.nlp) : c.components;
    for (const std::string& name : names) fit(c, call.nlp, name);
  }};
}

const Registration registered{"weft.confidence.v1", confidence,
                              "fits how sure entities are to held-out data before each save"};

}  // namespace
}  // namespace weft
