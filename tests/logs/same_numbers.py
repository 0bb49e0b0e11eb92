"""Trains a small pipeline that logs everything, kills and resumes it, and opens its files.

same_numbers.py CONFIG TRAIN DEV: TensorBoard, W&B, MLflow and Python's csv module have to read the
numbers of log.jsonl, at the same steps and none twice; a setting that must not be logged must stand
in none of the files.
"""
import csv
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import wandb_stand_in

PROGRAMS = pathlib.Path(sys.executable).parent
WEFT = os.environ["WEFT"]
WORK = pathlib.Path(os.environ["WORK"])
OUT = WORK / "out"
SECRET = "not-to-be-logged-7f3a"

LOGGERS = """
[own]
secret = "%s"
path = "data/${own.secret}/x"

[training.logger]
@loggers = "spacy.ChainLogger.v1"

[training.logger.logger1]
@loggers = "spacy.ConsoleLogger.v3"
output_file = "console.jsonl"

[training.logger.logger2]
@loggers = "weft.CsvLogger.v1"
path = "log.csv"

[training.logger.logger3]
@loggers = "weft.TensorBoardLogger.v1"
histograms = true
remove_config_values = ["own.secret"]

[training.logger.logger4]
@loggers = "spacy.WandbLogger.v5"
project_name = "names"
run_name = "first"
remove_config_values = ["own.secret"]

[training.logger.logger5]
@loggers = "spacy.MLflowLogger.v2"
run_name = "first"
remove_config_values = ["own.secret"]
""" % SECRET


def write_config(source):
    text = pathlib.Path(source).read_text()
    begin = text.find("[training.logger]")
    if begin >= 0:
        end = text.find("\n[", begin)
        text = text[:begin] + (text[end + 1:] if end >= 0 else "")
    path = WORK / "logged.cfg"
    path.write_text(text + LOGGERS)
    return path


def weft(*words):
    done = subprocess.run([WEFT, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


def evaluations():
    lines = (OUT / "log.jsonl").read_text().splitlines() if (OUT / "log.jsonl").exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def kill_between_evaluations(words):
    """Ends the run, which has no time to say anything, once it has logged two evaluations."""
    run = subprocess.Popen([WEFT, *map(str, words)], stderr=subprocess.PIPE, text=True,
                           stdout=subprocess.DEVNULL)
    while len(evaluations()) < 2:
        assert run.poll() is None, run.stderr.read()
        time.sleep(0.005)
    time.sleep(0.05)
    run.send_signal(signal.SIGKILL)
    run.communicate()


def flat(scores, path=()):
    for name, value in scores.items():
        if isinstance(value, dict):
            yield from flat(value, path + (name,))
        elif value is not None:
            yield path + (name,), value


def expected():
    """(path of a name, step) -> number."""
    points = {}
    for line in evaluations():
        step = line["step"]
        points["score", step] = line["score"]
        for name in ("epoch", "words", "learn_rate"):
            points[name, step] = line[name]
        points["words_per_second", step] = line["time"]["words_per_second"]
        points["speed", step] = line["time"]["evaluation_words_per_second"]
        for name, loss in line["losses"].items():
            points["loss_" + name, step] = loss
        for path, value in flat(line["scores"]):
            points[".".join(path), step] = value
    return points


def compare(kind, found, wanted, tolerance=0.0):
    assert set(found) == set(wanted), (kind, sorted(set(found) ^ set(wanted))[:9])
    for key, value in wanted.items():
        assert math.isclose(found[key], value, rel_tol=tolerance, abs_tol=0.0), (kind, key)
    print(f"{kind}: {len(wanted)} points")


def check_csv(wanted):
    found = {}
    with open(OUT / "log.csv", newline="") as file:
        for row in csv.DictReader(file):
            for name, value in row.items():
                if name not in ("step", "seconds") and value != "":
                    found[name, int(row["step"])] = float(value)
    columns = {name for name, _ in found}
    compare("CSV", found, {key: value for key, value in wanted.items() if key[0] in columns})


def tag_of(name):
    if name == "score":
        return name
    if name in ("epoch", "words"):
        return "progress/" + name
    if name == "learn_rate":
        return "optimizer/learn_rate"
    if name in ("words_per_second", "speed"):
        return "speed/" + ("evaluation_words_per_second" if name == "speed" else name)
    return "loss/" + name[5:] if name.startswith("loss_") else "scores/" + name.replace(".", "/")


def check_tensorboard(wanted):
    from tensorboard.backend.event_processing import event_accumulator
    from tensorboard.plugins.hparams import plugin_data_pb2
    folder = OUT / "tensorboard"
    log = event_accumulator.EventAccumulator(
        str(folder), {"tensors": 0, "scalars": 0, "histograms": 0})
    log.Reload()
    found, kinds = {}, {}
    for tag in log.Tags()["tensors"]:
        metadata = log.SummaryMetadata(tag)
        kinds[tag] = metadata.plugin_data.plugin_name
        if kinds[tag] == "scalars":
            for event in log.Tensors(tag):
                assert (tag, event.step) not in found, "twice"
                found[tag, event.step] = event.tensor_proto.float_val[0]
    for tag in log.Tags()["scalars"]:
        for event in log.Scalars(tag):
            assert (tag, event.step) not in found, "twice"
            found[tag, event.step] = event.value
    compare("TensorBoard", found, {(tag_of(name), step): value
                                   for (name, step), value in wanted.items()}, 1e-6)
    assert kinds["config"] == "text", kinds["config"]
    assert "training.max_steps = " in log.Tensors("config")[0].tensor_proto.string_val[0].decode()
    weights = [tag for tag in kinds if kinds[tag] == "histograms"]
    steps = sorted({step for _, step in found})
    assert weights and all([e.step for e in log.Tensors(tag)] == steps for tag in weights)
    start = plugin_data_pb2.HParamsPluginData.FromString(
        log.SummaryMetadata("_hparams_/session_start_info").plugin_data.content)
    settings = start.session_start_info.hparams
    assert settings["nlp.lang"].string_value == "en"
    assert settings["training.max_steps"].number_value > 0
    end = plugin_data_pb2.HParamsPluginData.FromString(
        log.SummaryMetadata("_hparams_/session_end_info").plugin_data.content)
    assert end.session_end_info.status == 1


def wandb_records(path):
    """Frames are read as LevelDB's documentation has them; the package reads them in compiled code."""
    import zlib
    from wandb.proto import wandb_internal_pb2
    data = path.read_bytes()
    assert data[:7] == bytes.fromhex("3a572642e1be00")
    at, parts = 7, b""
    while at < len(data):
        left = 32768 - at % 32768
        if left < 7:
            at += left
            continue
        crc, size, kind = (int.from_bytes(data[at + i:at + j], "little")
                           for i, j in ((0, 4), (4, 6), (6, 7)))
        content = data[at + 7:at + 7 + size]
        assert zlib.crc32(bytes([kind]) + content) == crc
        parts = content if kind in (1, 2) else parts + content
        if kind in (1, 4):
            yield wandb_internal_pb2.Record.FromString(parts)
        at += 7 + size


def wandb_row(row):
    return {tuple(item.nested_key) or (item.key,): json.loads(item.value_json) for item in row}


def check_wandb(wanted):
    runs = list((OUT / "wandb").iterdir())
    assert len(runs) == 1, "a run that goes on is the same run"
    (path,) = runs[0].glob("run-*.wandb")
    records = list(wandb_records(path))
    assert [record.num for record in records] == list(range(1, len(records) + 1))
    kinds = [record.WhichOneof("record_type") for record in records]
    assert kinds[:2] == ["header", "run"] and kinds[-1] == "exit", kinds
    assert records[-1].exit.exit_code == 0
    run = records[1].run
    assert (run.project, run.display_name) == ("names", "first")
    config = {item.key: json.loads(item.value_json) for item in run.config.update}
    assert "L2" in config["training"]["optimizer"], "keys keep their case"
    found, last = {}, {}
    for record in records:
        if record.WhichOneof("record_type") == "summary":
            last = wandb_row(record.summary.update)
        if record.WhichOneof("record_type") != "history":
            continue
        row = wandb_row(record.history.item)
        step = row.pop(("_step",))
        assert step == record.history.step.num
        for key, value in row.items():
            if not key[0].startswith("_"):
                assert (".".join(key), step) not in found, "twice"
                found[".".join(key), step] = value
    compare("W&B", found, wanted)
    assert last[("score",)] == evaluations()[-1]["score"]
    check_upload(runs[0], wanted)


def check_upload(run, wanted):
    """`wandb sync` reads the file by itself; a server that is none takes what it sends."""
    server = wandb_stand_in.StandIn()
    told = server.sync(PROGRAMS / "wandb", run, WORK)
    found = {}
    for row in server.rows:
        for path, value in flat(row):
            if not path[0].startswith("_"):
                assert (".".join(path), row["_step"]) not in found, "twice"
                found[".".join(path), row["_step"]] = value
    compare("wandb sync", found, wanted)
    assert server.summary["score"] == evaluations()[-1]["score"], server.summary
    assert server.config["training"]["value"]["optimizer"]["@optimizers"] == "Adam.v1"
    assert server.exit_code == 0, told
    assert list(run.glob("*.synced")), told


def mlflow_points(client, experiment):
    (run,) = client.search_runs([experiment])
    found = {}
    for name in run.data.metrics:
        for point in client.get_metric_history(run.info.run_id, name):
            assert (name, point.step) not in found, "twice"
            found[name, point.step] = point.value
    return run, found


def check_mlflow(wanted):
    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
    import mlflow
    client = mlflow.MlflowClient(tracking_uri=(OUT / "mlruns").as_uri())
    run, found = mlflow_points(client, "0")
    compare("MLflow", found, wanted)
    assert (run.info.status, run.info.run_name) == ("FINISHED", "first")
    assert run.data.params["training.optimizer.optimizers"] == "Adam.v1"
    target = f"sqlite:///{WORK / 'mlflow.db'}"
    moved = subprocess.run([PROGRAMS / "mlflow", "migrate-filestore", "--source", OUT / "mlruns",
                            "--target", target], capture_output=True, text=True)
    assert moved.returncode == 0, moved.stderr
    os.environ.pop("MLFLOW_ALLOW_FILE_STORE")
    _, found = mlflow_points(mlflow.MlflowClient(tracking_uri=target), "0")
    compare("MLflow's database", found, wanted)


def check_secret():
    for name in ("tensorboard", "wandb", "mlruns"):
        for file in (OUT / name).rglob("*"):
            if file.is_file():
                assert SECRET.encode() not in file.read_bytes(), file
                assert file.name not in ("own.secret", "own.path")


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    config, (train, dev) = write_config(sys.argv[1]), sys.argv[2:]
    train_words = ["train", config, "--output", OUT, "--paths.train", train, "--paths.dev", dev,
                   "--training.max_steps", 60, "--training.eval_frequency", 10,
                   "--corpora.train.limit", 200, "--corpora.dev.limit", 50]
    kill_between_evaluations(train_words)
    told = weft("train", "--resume", "--output", OUT)
    for command in ("tensorboard --logdir", "wandb sync", "mlflow migrate-filestore"):
        assert command in told, told
    wanted = expected()
    assert len(evaluations()) == 7
    check_csv(wanted)
    check_tensorboard(wanted)
    check_wandb(wanted)
    check_mlflow(wanted)
    check_secret()


if __name__ == "__main__":
    main()
