"""Which sources bugs are planted in, by group, and which tests are asked first whether they see one.

Patterns of files are of pathlib. A step is a program of the build folder with a filter of GoogleTest, or a
conformance runner with its records; the steps of a group run first, those of EVERYTHING if all of them pass.
"""
import dataclasses

RECORDS = "tests/conformance/data/"


@dataclasses.dataclass(frozen=True)
class Group:
    files: tuple
    first: tuple


def framework(tests):
    return ("framework_tests", tests)


def components(tests):
    return ("components_tests", tests)


RUNNERS = {
    "conformance_docbin": (RECORDS + "docbin",),
    "conformance_tokenizer": (RECORDS + "tokenizer",),
    "conformance_pipeline": (RECORDS + "spacy_ner_tiny", RECORDS + "spacy_ner_tiny/expected.jsonl"),
    "conformance_update": (RECORDS + "spacy_ner_tiny", RECORDS + "ner_update"),
    "conformance_config": (RECORDS + "config/cases.jsonl", RECORDS + "config/functions.json"),
    "conformance_precision": (RECORDS + "precision",),
}

GROUPS = {
    "scaler": Group(
        ("framework/precision/loss_scaler.cc", "framework/precision/divergence.cc",
         "framework/precision/checkpoint.cc"),
        (framework("LossScaler*:Divergence*:Checkpoint.*"), ("conformance_precision", ""),
         components("PrecisionSession*:Amp*"))),
    "optimizers": Group(
        ("framework/training/optimizer*.cc", "framework/training/parameter_step.h",
         "framework/ops/optimizer_step.h", "framework/backends/cpu/optimizer_*.cc", "components/optimizers/*"),
        (framework("Optimizer*:DeviceGradients*"), components("Adam*:RAdam*:Optimizer*:Sliced*:DeviceSteps*"),
         ("conformance_precision", ""))),
    "oracle": Group(
        ("framework/ops/transition_oracle.h", "framework/parser/*.cc"),
        (framework("MoveCosts*:ScoreGradient*:NerGold*:TrainingParses*:ActionTable*:DeviceParses*:ParserNetwork*:"
                   "MissingFeatures*:Arc*:Beam*:Oracle*:SpanCalibration*:CalibrationFile*"),
         ("conformance_update", ""), ("conformance_pipeline", ""),
         components("Ner*:Parser*:DeviceSteps*:DeviceTraining*"))),
    "interpolation": Group(
        ("registry/variables/interpolate.cc", "registry/variables/variable_*.cc"),
        (("registry_tests", "Interpolate*:BrokenConfigs*:Overrides*:Limits*"), ("conformance_config", ""))),
    "readers": Group(
        ("framework/text/doc_bin_*.cc", "framework/text/jsonl_reader.cc", "framework/text/conll.cc",
         "framework/text/iob*.cc", "framework/text/spacy_json.cc", "components/readers/*.cc"),
        (framework("DocBin*:Jsonl*:Conll*:IobLines*:SpacyJson*:DocSource*"), ("conformance_docbin", ""),
         components("Corpora*:ReadJsonl*:ReadLabels*:Converters*"))),
    "tokenizer": Group(
        ("framework/text/tokenizer.cc", "framework/text/word_cutter.cc", "framework/text/text_cutter.cc",
         "framework/text/special_*.cc", "framework/text/chunk_*.cc"),
        (framework("Tokenizer*:WordCutter*:TextCutter*:Chunk*:MakeDoc*:LoadKey*"), ("conformance_tokenizer", ""),
         components("LanguageData*:MakeDoc*:PathologicalTexts*"))),
    "resume": Group(
        ("framework/training/resume*.cc", "framework/training/checkpoint.cc", "framework/training/state.cc",
         "framework/training/run_folder*.cc"),
        (framework("ResumeRules*:CheckpointTest*:TrainingState*:RunFolder*"), components("Training*"),
         ("tools_tests", "ResumeTest*"))),
    "shards": Group(
        ("framework/pipeline/batch.cc", "framework/pipeline/shard_memory.cc", "framework/pipeline/shard_runner.cc"),
        (framework("ShardsTest*:ShardMemory*:ShardRunner*:BatchUpdate*"), components("Memory*:Training*"))),
    "schedules": Group(
        ("components/schedules/*.cc", "framework/training/schedule.cc"),
        (components("Schedules*:ReferencePages*"), framework("Schedule.*"))),
    "clipping": Group(
        ("framework/training/step_gradients.cc",
         "framework/precision/unscale.cc"),
        (framework("GradientNorm*:TrainingStep*:DeviceGradients*:Unscale*"), components("Clipping*:GradNorm*:DeviceSteps*"),
         ("conformance_precision", ""))),
    "alignment": Group(
        ("framework/text/alignment.cc", "framework/text/example.cc", "framework/text/char_ents.cc"),
        (framework("Alignment*:Example*:CharEnts*:FittedExample*"), components("Corpora*:Evaluation*"))),
    "files": Group(
        ("framework/io/atomic_file.cc", "framework/io/file_sink.cc"),
        (framework("AtomicFile*:FileSink*"), ("tools_tests", "FullDisk*:EveryStep*"))),
}

# Without the tests of the program that take minutes each and ask nothing of these sources that others do not.
EVERYTHING = (
    ("registry_tests", "*"), framework("*"), *((runner, "") for runner in RUNNERS), components("*"),
    ("tools_tests", "-KillTest*:MemoryBudgetTest*:NoMemoryTest*"),
)
