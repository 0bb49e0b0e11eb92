#include "framework/pipeline/takes_phrases.h"

#include "framework/ops/context.h"
#include "framework/pipeline/language.h"
#include "framework/pipeline/slots.h"

namespace weft {

MakePhrase phrases_of(const Language& nlp, std::size_t place) {
  return [&nlp, place](std::string_view text, bool annotated) {
    Doc doc = nlp.make_doc(text);
    if (!annotated) return doc;
    Context ctx;
    Slots slots(ctx);
    ctx.pass().predict();
    ctx.pass().set_slots(&slots);
    Doc* const docs[] = {&doc};
    for (const NamedComponent& before : nlp.pipeline().first(place)) {
      if (before.enabled) before.component->predict(ctx, docs, slots);
    }
    ctx.pass().set_slots(nullptr);
    ctx.end_step();
    return doc;
  };
}

}  // namespace weft
