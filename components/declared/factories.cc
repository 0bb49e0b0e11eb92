// Names of spaCy 3.8 and its libraries of the kind `factories` that are known and not built yet.
#include "components/declared/declare.h"

namespace weft {
namespace {

constexpr std::string_view kNames = R"(
attribute_ruler
  validate bool = false
  scorer any = {"@scorers": "spacy.attribute_ruler_scorer.v1"}
beam_ner
  model any = {"tok2vec": {"@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": null,
      "width": 96, "depth": 4, "embed_size": 2000, "window_size": 1, "maxout_pieces": 3,
      "subword_features": true}, "@architectures": "spacy.TransitionBasedParser.v2", "state_type":
      "ner", "extra_state_tokens": false, "hidden_width": 64, "maxout_pieces": 2, "use_upper":
      true}
  moves any = null
  update_with_oracle_cut_size int = 100
  beam_width int = 32
  beam_density float = 0.01
  beam_update_prob float = 0.5
  incorrect_spans_key str? = null
  scorer any = {"@scorers": "spacy.ner_scorer.v1"}
  meta {"default_score_weights": {"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type":
      null}, "assigns": ["doc.ents", "token.ent_iob", "token.ent_type"]}
beam_parser
  model any = {"tok2vec": {"@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": null,
      "width": 96, "depth": 4, "embed_size": 2000, "window_size": 1, "maxout_pieces": 3,
      "subword_features": true}, "@architectures": "spacy.TransitionBasedParser.v2", "state_type":
      "parser", "extra_state_tokens": false, "hidden_width": 64, "maxout_pieces": 2, "use_upper":
      true}
  moves any = null
  update_with_oracle_cut_size int = 100
  learn_tokens bool = false
  min_action_freq int = 30
  beam_width int = 8
  beam_density float = 0.0001
  beam_update_prob float = 0.5
  scorer any = {"@scorers": "spacy.parser_scorer.v1"}
  meta {"default_score_weights": {"dep_uas": 0.5, "dep_las": 0.5, "dep_las_per_type": null,
      "sents_p": null, "sents_r": null, "sents_f": 0.0}, "assigns": ["token.dep", "token.head",
      "token.is_sent_start", "doc.sents"]}
bn.lemmatizer
  model any = null
  mode str = "rule"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
ca.lemmatizer
  model any = null
  mode str = "rule"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
doc_cleaner
  *
  attrs dict = {"tensor": null, "_.trf_data": null}
  silent bool = true
el.lemmatizer
  model any = null
  mode str = "rule"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
en.lemmatizer
  model any = null
  mode str = "rule"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
entity_linker
  model any = {"tok2vec": {"@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": null,
      "width": 96, "depth": 2, "embed_size": 2000, "window_size": 1, "maxout_pieces": 3,
      "subword_features": true}, "@architectures": "spacy.EntityLinker.v2"}
  *
  labels_discard any = []
  n_sents int = 0
  incl_prior bool = true
  incl_context bool = true
  entity_vector_length int = 64
  get_candidates any = {"@misc": "spacy.CandidateGenerator.v1"}
  get_candidates_batch any = {"@misc": "spacy.CandidateBatchGenerator.v1"}
  generate_empty_kb any = {"@misc": "spacy.EmptyKB.v2"}
  overwrite bool = true
  scorer any = {"@scorers": "spacy.entity_linker_scorer.v1"}
  use_gold_ents bool = true
  candidates_batch_size int = 1
  threshold float? = null
  meta {"default_score_weights": {"nel_micro_f": 1.0, "nel_micro_r": null, "nel_micro_p": null},
      "assigns": ["token.ent_kb_id"], "requires": ["doc.ents", "doc.sents", "token.ent_iob",
      "token.ent_type"]}
entity_ruler
  phrase_matcher_attr any = null
  matcher_fuzzy_compare any = {"@misc": "spacy.levenshtein_compare.v1"}
  validate bool = false
  overwrite_ents bool = false
  ent_id_sep str = "||"
  scorer any = {"@scorers": "spacy.entity_ruler_scorer.v1"}
  meta {"default_score_weights": {"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type":
      null}, "assigns": ["doc.ents", "token.ent_type", "token.ent_iob"]}
es.lemmatizer
  model any = null
  mode str = "rule"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
fa.lemmatizer
  model any = null
  mode str = "rule"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
fr.lemmatizer
  model any = null
  mode str = "rule"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
future_entity_ruler
  phrase_matcher_attr any = null
  matcher_fuzzy_compare any = {"@misc": "spacy.levenshtein_compare.v1"}
  validate bool = false
  overwrite_ents bool = false
  scorer any = {"@scorers": "spacy.entity_ruler_scorer.v1"}
  ent_id_sep str = "__unused__"
  meta {"default_score_weights": {"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type":
      null}, "assigns": ["doc.ents"]}
ga.lemmatizer
  model any = null
  mode str = "pos_lookup"
  overwrite bool = false
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
ht.lemmatizer
  model any = null
  mode str = "rule"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
it.lemmatizer
  model any = null
  mode str = "pos_lookup"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
ja.morphologizer
  model any = {"tok2vec": {"embed": {"@architectures": "spacy.CharacterEmbed.v2", "width": 128,
      "rows": 7000, "nM": 64, "nC": 8, "include_static_vectors": false}, "encode":
      {"@architectures": "spacy.MaxoutWindowEncoder.v2", "width": 128, "depth": 4, "window_size":
      1, "maxout_pieces": 3}, "@architectures": "spacy.Tok2Vec.v2"}, "@architectures":
      "spacy.Tagger.v2"}
  overwrite bool = true
  extend bool = true
  scorer any = {"@scorers": "spacy.morphologizer_scorer.v1"}
  meta {"default_score_weights": {"pos_acc": 0.5, "morph_micro_f": 0.5, "morph_per_feat": null},
      "assigns": ["token.morph", "token.pos"]}
lemmatizer
  model any = null
  mode str = "lookup"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
merge_entities
  meta {"requires": ["doc.ents", "token.ent_iob", "token.ent_type"], "retokenizes": true}
merge_noun_chunks
  meta {"requires": ["token.dep", "token.tag", "token.pos"], "retokenizes": true}
merge_subtokens
  meta {"requires": ["token.dep"], "retokenizes": true}
mk.lemmatizer
  model any = null
  mode str = "rule"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
morphologizer
  model any = {"tok2vec": {"embed": {"@architectures": "spacy.CharacterEmbed.v2", "width": 128,
      "rows": 7000, "nM": 64, "nC": 8, "include_static_vectors": false}, "encode":
      {"@architectures": "spacy.MaxoutWindowEncoder.v2", "width": 128, "depth": 4, "window_size":
      1, "maxout_pieces": 3}, "@architectures": "spacy.Tok2Vec.v2"}, "@architectures":
      "spacy.Tagger.v2"}
  overwrite bool = true
  extend bool = false
  label_smoothing float = 0.0
  scorer any = {"@scorers": "spacy.morphologizer_scorer.v1"}
  meta {"default_score_weights": {"pos_acc": 0.5, "morph_acc": 0.5, "morph_per_feat": null},
      "assigns": ["token.morph", "token.pos"]}
nb.lemmatizer
  model any = null
  mode str = "rule"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
nl.lemmatizer
  model any = null
  mode str = "rule"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
nn_labeller
  model any = {"tok2vec": {"@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": null,
      "width": 96, "depth": 4, "embed_size": 2000, "window_size": 1, "maxout_pieces": 2,
      "subword_features": true}, "@architectures": "spacy.MultiTask.v1", "maxout_pieces": 3,
      "token_vector_width": 96}
  labels dict? = null
  target str = "dep_tag_offset"
parser
  model any = {"tok2vec": {"@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": null,
      "width": 96, "depth": 4, "embed_size": 2000, "window_size": 1, "maxout_pieces": 3,
      "subword_features": true}, "@architectures": "spacy.TransitionBasedParser.v2", "state_type":
      "parser", "extra_state_tokens": false, "hidden_width": 64, "maxout_pieces": 2, "use_upper":
      true}
  moves any = null
  update_with_oracle_cut_size int = 100
  learn_tokens bool = false
  min_action_freq int = 30
  scorer any = {"@scorers": "spacy.parser_scorer.v1"}
  meta {"default_score_weights": {"dep_uas": 0.5, "dep_las": 0.5, "dep_las_per_type": null,
      "sents_p": null, "sents_r": null, "sents_f": 0.0}, "assigns": ["token.dep", "token.head",
      "token.is_sent_start", "doc.sents"]}
pl.lemmatizer
  model any = null
  mode str = "pos_lookup"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
ru.lemmatizer
  model any = null
  mode str = "pymorphy3"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
sentencizer
  punct_chars [str]? = null
  overwrite bool = false
  scorer any = {"@scorers": "spacy.senter_scorer.v1"}
  meta {"default_score_weights": {"sents_f": 1.0, "sents_p": 0.0, "sents_r": 0.0}, "assigns":
      ["token.is_sent_start", "doc.sents"]}
senter
  model any = {"tok2vec": {"@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": null,
      "width": 12, "depth": 1, "embed_size": 2000, "window_size": 1, "maxout_pieces": 2,
      "subword_features": true}, "@architectures": "spacy.Tagger.v2"}
  overwrite bool = false
  scorer any = {"@scorers": "spacy.senter_scorer.v1"}
  meta {"default_score_weights": {"sents_f": 1.0, "sents_p": 0.0, "sents_r": 0.0}, "assigns":
      ["token.is_sent_start"]}
span_finder
  model any = {"scorer": {"@layers": "spacy.LinearLogistic.v1", "nO": 2}, "tok2vec": {"embed":
      {"@architectures": "spacy.MultiHashEmbed.v2", "width": 96, "rows": [5000, 1000, 2500, 1000],
      "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"], "include_static_vectors": false}, "encode":
      {"@architectures": "spacy.MaxoutWindowEncoder.v2", "width": 96, "window_size": 1,
      "maxout_pieces": 3, "depth": 4}, "@architectures": "spacy.Tok2Vec.v2"}, "@architectures":
      "spacy.SpanFinder.v1"}
  spans_key str = "sc"
  threshold float = 0.5
  max_length int? = 25
  min_length int? = null
  scorer any = {"@scorers": "spacy.span_finder_scorer.v1"}
  meta {"default_score_weights": {"spans_sc_f": 1.0, "spans_sc_p": 0.0, "spans_sc_r": 0.0},
      "assigns": ["doc.spans"]}
span_ruler
  spans_key str? = "ruler"
  spans_filter any = null
  annotate_ents bool = false
  ents_filter any = {"@misc": "spacy.first_longest_spans_filter.v1"}
  phrase_matcher_attr any = null
  matcher_fuzzy_compare any = {"@misc": "spacy.levenshtein_compare.v1"}
  validate bool = false
  overwrite bool = true
  scorer any = {"@scorers": "spacy.overlapping_labeled_spans_scorer.v1", "spans_key": "ruler"}
  meta {"default_score_weights": {"spans_ruler_f": 1.0, "spans_ruler_p": 0.0, "spans_ruler_r":
      0.0, "spans_ruler_per_type": null}, "assigns": ["doc.spans"]}
spancat
  suggester any = {"@misc": "spacy.ngram_suggester.v1", "sizes": [1, 2, 3]}
  model any = {"reducer": {"@layers": "spacy.mean_max_reducer.v1", "hidden_size": 128}, "tok2vec":
      {"embed": {"@architectures": "spacy.MultiHashEmbed.v2", "width": 96, "rows": [5000, 1000,
      2500, 1000], "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"], "include_static_vectors":
      false}, "encode": {"@architectures": "spacy.MaxoutWindowEncoder.v2", "width": 96,
      "window_size": 1, "maxout_pieces": 3, "depth": 4}, "@architectures": "spacy.Tok2Vec.v2"},
      "@architectures": "spacy.SpanCategorizer.v1", "scorer": {"@layers":
      "spacy.LinearLogistic.v1"}}
  spans_key str = "sc"
  scorer any = {"@scorers": "spacy.spancat_scorer.v1"}
  threshold float = 0.5
  max_positive int? = null
  meta {"default_score_weights": {"spans_sc_f": 1.0, "spans_sc_p": 0.0, "spans_sc_r": 0.0},
      "assigns": ["doc.spans"]}
spancat_singlelabel
  suggester any = {"@misc": "spacy.ngram_suggester.v1", "sizes": [1, 2, 3]}
  model any = {"reducer": {"@layers": "spacy.mean_max_reducer.v1", "hidden_size": 128}, "tok2vec":
      {"embed": {"@architectures": "spacy.MultiHashEmbed.v1", "width": 96, "rows": [5000, 1000,
      2500, 1000], "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"], "include_static_vectors":
      false}, "encode": {"@architectures": "spacy.MaxoutWindowEncoder.v2", "width": 96,
      "window_size": 1, "maxout_pieces": 3, "depth": 4}, "@architectures": "spacy.Tok2Vec.v2"},
      "@architectures": "spacy.SpanCategorizer.v1", "scorer": {"@layers": "Softmax.v2"}}
  spans_key str = "sc"
  negative_weight float = 1.0
  allow_overlap bool = true
  scorer any = {"@scorers": "spacy.spancat_scorer.v1"}
  meta {"default_score_weights": {"spans_sc_f": 1.0, "spans_sc_p": 0.0, "spans_sc_r": 0.0},
      "assigns": ["doc.spans"]}
sv.lemmatizer
  model any = null
  mode str = "rule"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
tagger
  model any = {"tok2vec": {"@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": null,
      "width": 96, "depth": 4, "embed_size": 2000, "window_size": 1, "maxout_pieces": 3,
      "subword_features": true}, "@architectures": "spacy.Tagger.v2"}
  overwrite bool = false
  scorer any = {"@scorers": "spacy.tagger_scorer.v1"}
  neg_prefix str = "!"
  label_smoothing float = 0.0
  meta {"default_score_weights": {"tag_acc": 1.0, "pos_acc": 0.0, "tag_micro_p": null,
      "tag_micro_r": null, "tag_micro_f": null}, "assigns": ["token.tag"]}
textcat
  model any = {"tok2vec": {"embed": {"@architectures": "spacy.MultiHashEmbed.v2", "width": 64,
      "rows": [2000, 2000, 500, 1000, 500], "attrs": ["NORM", "LOWER", "PREFIX", "SUFFIX",
      "SHAPE"], "include_static_vectors": false}, "encode": {"@architectures":
      "spacy.MaxoutWindowEncoder.v2", "width": 64, "window_size": 1, "maxout_pieces": 3, "depth":
      2}, "@architectures": "spacy.Tok2Vec.v2"}, "linear_model": {"@architectures":
      "spacy.TextCatBOW.v3", "exclusive_classes": true, "length": 262144, "ngram_size": 1,
      "no_output_layer": false}, "@architectures": "spacy.TextCatEnsemble.v2"}
  threshold float = 0.0
  scorer any = {"@scorers": "spacy.textcat_scorer.v2"}
  meta {"default_score_weights": {"cats_score": 1.0, "cats_score_desc": null, "cats_micro_p":
      null, "cats_micro_r": null, "cats_micro_f": null, "cats_macro_p": null, "cats_macro_r":
      null, "cats_macro_f": null, "cats_macro_auc": null, "cats_f_per_type": null}, "assigns":
      ["doc.cats"]}
textcat_multilabel
  model any = {"tok2vec": {"embed": {"@architectures": "spacy.MultiHashEmbed.v2", "width": 64,
      "rows": [2000, 2000, 500, 1000, 500], "attrs": ["NORM", "LOWER", "PREFIX", "SUFFIX",
      "SHAPE"], "include_static_vectors": false}, "encode": {"@architectures":
      "spacy.MaxoutWindowEncoder.v2", "width": 64, "window_size": 1, "maxout_pieces": 3, "depth":
      2}, "@architectures": "spacy.Tok2Vec.v2"}, "linear_model": {"@architectures":
      "spacy.TextCatBOW.v3", "exclusive_classes": false, "length": 262144, "ngram_size": 1,
      "no_output_layer": false}, "@architectures": "spacy.TextCatEnsemble.v2"}
  threshold float = 0.5
  scorer any = {"@scorers": "spacy.textcat_multilabel_scorer.v2"}
  meta {"default_score_weights": {"cats_score": 1.0, "cats_score_desc": null, "cats_micro_p":
      null, "cats_micro_r": null, "cats_micro_f": null, "cats_macro_p": null, "cats_macro_r":
      null, "cats_macro_f": null, "cats_macro_auc": null, "cats_f_per_type": null}, "assigns":
      ["doc.cats"]}
token_splitter
  *
  min_length int = 25
  split_length int = 10
  meta {"retokenizes": true}
trainable_lemmatizer
  model any = {"tok2vec": {"@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": null,
      "width": 96, "depth": 4, "embed_size": 2000, "window_size": 1, "maxout_pieces": 3,
      "subword_features": true}, "@architectures": "spacy.Tagger.v2"}
  backoff str? = "orth"
  min_tree_freq int = 3
  overwrite bool = false
  top_k int = 1
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
uk.lemmatizer
  model any = null
  mode str = "pymorphy3"
  overwrite bool = false
  scorer any = {"@scorers": "spacy.lemmatizer_scorer.v1"}
  meta {"default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"]}
)";

const Registration registered([](Catalogue& catalogue) {
  declare(catalogue, "factories", kNames);
});

}  // namespace
}  // namespace weft
