// Trains a small entity recognizer on a handful of sentences, saves it, loads it, and uses it.
//
//   train_ner FOLDER
#include <algorithm>
#include <iostream>
#include <random>

#include "components/weft.h"
#include "registry/base/error.h"

namespace {

void print(const weft::Doc& doc) {
  std::cout << doc.text() << '\n';
  for (const weft::Span& ent : doc.ents()) {
    std::cout << "  " << doc.string(ent.label) << ": " << doc.span_text(ent.start, ent.end) << '\n';
  }
}

void train(const std::filesystem::path& folder) {
  auto nlp = weft::blank("en", {"ner"});
  std::vector<weft::Example> examples = {
      weft::Example::from_offsets(nlp->make_doc("Ada Lovelace was born in London."),
                                  {{0, 12, "PERSON"}, {25, 31, "GPE"}}),
      weft::Example::from_offsets(nlp->make_doc("Grace Hopper taught at Yale."),
                                  {{0, 12, "PERSON"}, {23, 27, "ORG"}}),
      weft::Example::from_tags(nlp->make_doc("I like London."), {"O", "O", "U-GPE", "O"}),
      weft::Example::from_spans(nlp->make_doc("Yale hired Grace Hopper."),
                                {{0, 1, "ORG"}, {2, 4, "PERSON"}}),
  };
  auto sgd = nlp->initialize(examples);
  std::mt19937 random(0);
  for (int epoch = 0; epoch < 30; ++epoch) {
    weft::Losses losses;
    std::shuffle(examples.begin(), examples.end(), random);
    for (auto batch : weft::minibatch(examples, 2)) {
      nlp->update(batch, {.drop = 0.1, .sgd = sgd, .losses = &losses});
    }
    if (epoch % 10 == 0) std::cout << "epoch " << epoch << ", loss " << losses["ner"] << '\n';
  }
  nlp->to_disk(folder);
}

void use(const std::filesystem::path& folder) {
  const std::shared_ptr<const weft::Language> nlp = weft::load(folder);
  print((*nlp)("Grace Hopper was born in London."));
  const std::vector<std::string> texts = {"Ada Lovelace taught at Yale.", "I like Yale."};
  for (const weft::Doc& doc : nlp->pipe(texts, {.batch_size = 64, .threads = 2})) print(doc);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    train(argv[1]);
    use(argv[1]);
    return 0;
  } catch (const weft::Error& error) {
    std::cerr << error.what() << '\n';
    return weft::exit_code(error.kind());
  }
}
