# Builds the plugin as a stranger would, and trains, resumes, evaluates and applies pipelines that
# use each of its functions; see tests/CMakeLists.txt.
include(${ROOT}/tests/build_project.cmake)
build_project(${SOURCE})

set(weft ${PREFIX}/bin/weft)
set(code --code ${WORK}/guide.so)
set(train ${weft} train ${SOURCE}/textcat.cfg ${code} --paths.train ${SOURCE}/commands.csv
    --paths.dev ${SOURCE}/commands_dev.csv --output)
set(pipeline ${WORK}/out/model-last)

# Callback, reader, batcher, schedule and logger at once.
run(${train} ${WORK}/out)
expect("updated stop words and tokenizer suffixes")
file(READ ${SOURCE}/commands_dev.csv rows)
file(WRITE ${WORK}/dev.csv "label,text\n${rows}")
run(${weft} evaluate ${pipeline} ${WORK}/dev.csv --json ${code})
expect("\"cats_score\": 1.0")

# The logger's table: a row for each evaluation, and no row twice where a run goes on.
file(STRINGS ${WORK}/out/my_file.tab rows)
list(TRANSFORM rows REPLACE "^([^\t]*)\t.*$" "\\1")
if(NOT rows STREQUAL "step;0;20;40")
  message(FATAL_ERROR "the logger wrote: ${rows}")
endif()
run(${train} ${WORK}/half --training.max_steps 20)
run(${weft} train --resume --output ${WORK}/half ${code} --training.max_steps 40)
foreach(file my_file.tab model-last/textcat/model)
  file(SHA256 ${WORK}/out/${file} whole)
  file(SHA256 ${WORK}/half/${file} resumed)
  if(NOT whole STREQUAL resumed)
    message(FATAL_ERROR "a resumed run wrote another ${file}")
  endif()
endforeach()

# The schedule: 0.02 times 1.005 for each step.
file(STRINGS ${WORK}/out/log.jsonl lines)
list(GET lines 1 line)
string(JSON rate GET "${line}" learn_rate)
if(NOT rate MATCHES "^0\\.02209")
  message(FATAL_ERROR "the learning rate in step 20 is ${rate}")
endif()

# The reader: each of 12 rows with two variants; the batcher leaves texts out that a batch has.
file(READ ${WORK}/out/run.json manifest)
list(GET lines 0 line)
string(JSON words GET "${line}" words)
if(words LESS 20 OR words GREATER 60)
  message(FATAL_ERROR "a batch of eight short texts has ${words} words")
endif()

# The callback: hyphens behind a word, and two more stop words.
file(WRITE ${WORK}/texts.txt "ooh play it-- now\n")
run(${weft} apply ${pipeline} ${WORK}/texts.txt ${code})
expect("MUSIC")

# Network and scorer.
run(${weft} train ${SOURCE}/tagger.cfg ${code} --paths.train ${SOURCE}/tags.conllu
    --paths.dev ${SOURCE}/tags_dev.conllu --output ${WORK}/tags)
run(${weft} evaluate ${WORK}/tags/model-last ${SOURCE}/tags_dev.conllu --json ${code})
expect("\"tag_docs\": 1.0")
file(STRINGS ${WORK}/tags/log.jsonl lines)
list(GET lines 0 line)
string(JSON untrained GET "${line}" scores tag_docs)
if(untrained EQUAL 1)
  message(FATAL_ERROR "the scorer calls an untrained tagger right")
endif()

# A setting of another type is told of, as spaCy does with type hints.
fail(2 ${train} ${WORK}/typed --nlp.before_creation.debug "maybe")
expect("[nlp.before_creation] debug")

# The blocks as the guide has them, with its own numbers.
file(READ ${SOURCE}/textcat.cfg config)
string(REPLACE "extra_stop_words = [\"ooh\", \"aah\"]\ndebug = true\n" "" config "${config}")
string(REPLACE
       "@batchers = \"filtering_batch.v1\"\nsize = 8\n"
       "@batchers = \"spacy.batch_by_sequence.v1\"\n\n[training.batcher.size]\n\
@schedules = \"my_custom_schedule.v1\"\nstart = 2\nfactor = 1.005\n"
       config "${config}")
file(WRITE ${WORK}/growing.cfg "${config}")
run(${weft} train ${WORK}/growing.cfg ${code} --paths.train ${SOURCE}/commands.csv
    --paths.dev ${SOURCE}/commands_dev.csv --output ${WORK}/growing --training.max_steps 100)
run(${train} ${WORK}/wide --training.batcher.size 150 --training.max_steps 1)
run(${weft} train ${SOURCE}/tagger.cfg ${code} --paths.train ${SOURCE}/tags.conllu
    --paths.dev ${SOURCE}/tags_dev.conllu --components.tagger.model.output_width 512
    --training.max_steps 1)

# 2 * 1.005^step examples are 2 up to step 81, and 3 behind it.
file(STRINGS ${WORK}/growing/log.jsonl lines)
set(words)
foreach(line IN LISTS lines)
  string(JSON count GET "${line}" words)
  list(APPEND words ${count})
endforeach()
list(GET words 0 at_0)
list(GET words 1 at_20)
list(GET words 4 at_80)
list(GET words 5 at_100)
math(EXPR grown "4 * (${at_100} - ${at_80}) - 5 * (${at_20} - ${at_0})")
if(grown LESS 0)
  message(FATAL_ERROR "the batches did not grow: ${words}")
endif()

# Components that are sourced from a trained pipeline, by the name of its package, one of them
# frozen, beside new ones.
run(${weft} train ${SOURCE}/base.cfg --paths.train ${SOURCE}/names.conllu
    --paths.dev ${SOURCE}/names.conllu --output ${WORK}/base)
file(COPY ${WORK}/base/model-last DESTINATION ${WORK}/pipelines)
file(RENAME ${WORK}/pipelines/model-last ${WORK}/pipelines/en_core_web_sm)
set(sourced ${SOURCE}/sourced.cfg ${code} --pipelines ${WORK}/pipelines)
run(${weft} debug config ${sourced} --paths.train ${SOURCE}/names.jsonl
    --paths.dev ${SOURCE}/names.jsonl)
run(${weft} train ${sourced} --paths.train ${SOURCE}/names.jsonl --paths.dev ${SOURCE}/names.jsonl
    --output ${WORK}/sourced)
foreach(component parser ner)
  file(SHA256 ${WORK}/base/model-last/${component}/model ${component}_before)
  file(SHA256 ${WORK}/sourced/model-last/${component}/model ${component}_after)
endforeach()
if(NOT parser_before STREQUAL parser_after OR ner_before STREQUAL ner_after)
  message(FATAL_ERROR "the frozen parser has to stay, and the entities to be trained on")
endif()
file(WRITE ${WORK}/names.txt "Ada sang in Oslo.\n")
run(${weft} apply ${WORK}/sourced/model-last ${WORK}/names.txt ${code})
expect("\"TRAVEL\"")
expect("\"capitals\"")
