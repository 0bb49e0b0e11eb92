# Builds the example component as a stranger would, checks its gradients, and trains, evaluates,
# applies and resumes a pipeline with it; see tests/CMakeLists.txt.
include(${ROOT}/tests/build_project.cmake)
build_project(${SOURCE})
run(${WORK}/check_gradients)

set(weft ${PREFIX}/bin/weft)
set(code --code ${WORK}/topics.so)
set(train ${weft} train ${SOURCE}/topics.cfg ${code} --paths.train ${SOURCE}/train.jsonl
    --paths.dev ${SOURCE}/dev.jsonl --output)
set(pipeline ${WORK}/out/model-last)

# Trained on two dozen sentences it tells new ones apart, and does so again when it is loaded.
run(${train} ${WORK}/out)
run(${weft} evaluate ${pipeline} ${SOURCE}/dev.jsonl --json ${code})
expect("\"topic_acc\": 1.0")
file(READ ${pipeline}/meta.json meta)
string(JSON labels GET "${meta}" labels topic)
string(JSON accuracy GET "${meta}" performance topic_acc)
string(REGEX REPLACE "[ \n]" "" labels "${labels}")
if(NOT labels STREQUAL "[\"food\",\"music\",\"sport\"]" OR NOT accuracy EQUAL 1)
  message(FATAL_ERROR "meta.json says: ${labels}, ${accuracy}")
endif()
file(WRITE ${WORK}/texts.txt "The choir sang.\n")
run(${weft} apply ${pipeline} ${WORK}/texts.txt ${code})
if(NOT output MATCHES "\"music\": 0\\.[5-9]")
  message(FATAL_ERROR "the pipeline gave: ${output}")
endif()

# Labels that were collected beforehand are those of the data; a label that is no text is told of.
run(${weft} init labels ${SOURCE}/topics.cfg ${WORK}/labels ${code} --paths.train ${SOURCE}/train.jsonl)
string(CONFIGURE [[{"topic": {"labels": {"@readers": "spacy.read_labels.v1",
                   "path": "${WORK}/labels/topic.json"}}}]] labels)
run(${train} ${WORK}/given --initialize.components "${labels}")
file(SHA256 ${pipeline}/topic/model whole)
file(SHA256 ${WORK}/given/model-last/topic/model given)
if(NOT whole STREQUAL given)
  message(FATAL_ERROR "labels of a file gave another model")
endif()
file(WRITE ${WORK}/given/model-last/topic/cfg "{\"labels\": [1]}")
fail(3 ${weft} apply ${WORK}/given/model-last ${WORK}/texts.txt ${code})
expect("topic/cfg holds no list of labels")

# Settings of the initialisation are those that the component declares.
fail(2 ${train} ${WORK}/wrong --initialize.components "{\"topic\": {\"lables\": [\"food\"]}}")
expect("did you mean labels?")

# A run that goes on half-way, or has another number of threads, ends with the same numbers.
run(${train} ${WORK}/half --training.max_steps 20 --threads 2)
run(${weft} train --resume --output ${WORK}/half ${code} --training.max_steps 40)
file(SHA256 ${WORK}/half/model-last/topic/model resumed)
if(NOT whole STREQUAL resumed)
  message(FATAL_ERROR "a resumed run gave another model")
endif()

# In 16 bits, with loss scaling.
run(${train} ${WORK}/low --training.precision.level O2)
run(${weft} evaluate ${WORK}/low/model-last ${SOURCE}/dev.jsonl --json ${code})
expect("\"topic_acc\": 1.0")
