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
