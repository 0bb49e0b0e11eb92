// The factory `beam_parser`: dependencies, each tree the best of several analyses. spaCy 3.8.
#include "components/pipes/beam_fields.h"
#include "components/pipes/parser_factory.h"

namespace weft {

namespace {

struct BeamParser : ParserFactory {
  BeamSettings beam{8, 0.0001, 0.5};
};

template <class V>
void fields(V& v, BeamParser& c) {
  fields(v, static_cast<ParserFactory&>(c));
  beam_fields(v, c.beam);
}

ComponentPtr beam_parser(const BeamParser& c) {
  return dependency_parser(c, c.beam);
}

const Registration registered =
    Registration{"beam_parser", beam_parser, "dependencies and sentences, by beam search"}.meta(
        kParserFacts);

}  // namespace

}  // namespace weft
