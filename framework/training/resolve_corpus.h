// The corpora that a config names, as readers whose faults say which corpus they are of.
#pragma once

#include <string>

#include "framework/pipeline/language.h"
#include "framework/training/reader.h"
#include "framework/training/run_progress.h"
#include "registry/base/error.h"
#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// A corpus has no example. The message says which, and where it was looked for.
class WEFT_API EmptyCorpus : public Error {
 public:
  explicit EmptyCorpus(const std::string& message) : Error(ErrorKind::data, message) {}
};

// A corpus of a config by its dotted name ("corpora.train"); to have no example is EmptyCorpus,
// once it is read. Throws Error(config) with all problems; a `path` that is not there is one, with
// its place.
WEFT_API Reader resolve_corpus(const Config& values, const std::string& name,
                               const Catalogue& catalogue);

// Gives all annotated documents of a corpus to `to`, as its reader does. Throws as the reader.
WEFT_API void read_annotated(const Config& values, const Language& nlp, const Catalogue& catalogue,
                             const AnnotationTells& to);

// A problem where the corpus has a `path` at which nothing lies, or a pipe, or none that was given.
// `config` has its variables, `values` are expanded: the problem names the setting, and its place,
// that a user changes, which often is a variable's.
WEFT_API void check_corpus_path(const Config& config, const Config& values,
                                const std::string& corpus, Problems& problems);

// Where the examples of a corpus come from: "[corpora.dev], dev.conll".
WEFT_API std::string describe_corpus(const Config& values, const std::string& corpus);

// The same examples, each of which is counted on the progress line, if there is one.
WEFT_API Reader counted(const Reader& reader, RunProgress* progress, const std::string& corpus);

}  // namespace weft
