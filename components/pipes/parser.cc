// The factory `parser`: dependencies and sentences by transitions. spaCy 3.8.
#include "components/pipes/parser_factory.h"

namespace weft {

namespace {

ComponentPtr parser(const ParserFactory& c) {
  return dependency_parser(c, {});
}

const Registration registered =
    Registration{"parser", parser, "dependencies and sentences"}.meta(kParserFacts);

}  // namespace

}  // namespace weft
