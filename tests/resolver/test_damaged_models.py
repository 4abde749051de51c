"""Damaged model files give the same model or a FormatError, and never crash."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from resolver.small_models import TEXT, parser_bytes, small_resolver

from cistell import places
from cistell.modelfile import load_model, save_model
from cistell.readers import Reader
from corefkit.exceptions import FormatError

BUNDLED = places._HERE / "en.model"
CODES = {"model/damaged", "model/not-a-model", "model/too-large", "model/version"}


def damage(body, number):
    """Flip a bit anywhere, in the zip directory or at the start, or truncate."""
    chance = random.Random(number)
    ranges = [
        (0, len(body)),
        (max(0, body.rfind(b"PK\x01\x02") - 900), len(body)),
        (0, min(2000, len(body))),
    ]
    if number % 4 == 3:
        return body[: chance.randrange(len(body))]
    at = chance.randrange(*ranges[number % 4])
    return body[:at] + bytes([body[at] ^ 1 << chance.randrange(8)]) + body[at + 1 :]


def parts(model):
    return (
        *(model.classifier.files(), model.tagger, model.parser, model.card),
        *(model.training, model.corpus, model.biases, model.linkings, model.language),
    )


@pytest.mark.slow
def test_damaged_bundled_model_is_identical_or_rejected(tmp_path):
    path = tmp_path / "en.model"
    body, expected = BUNDLED.read_bytes(), parts(load_model(BUNDLED))
    for number in range(60):
        path.write_bytes(damage(body, number))
        error = None
        try:
            model = load_model(path)
        except FormatError as raised:
            error = raised
        if error is None:
            assert parts(model) == expected
        else:
            assert error.code in CODES
            assert error.place == str(path)


def test_unsupported_zip_version_is_rejected(tmp_path):
    body = bytearray(BUNDLED.read_bytes())
    body[body.index(b"PK\x01\x02") + 6] = 148  # version needed to extract
    path = tmp_path / "en.model"
    path.write_bytes(body)
    with pytest.raises(FormatError) as caught:
        load_model(path)
    assert (caught.value.code, caught.value.place) == ("model/not-a-model", str(path))


def abort_udpipe(body):
    """Damage a model so that UDPipe aborts: its first byte is the length of a name."""
    return bytes([body[0] ^ 0x80]) + body[1:]


@pytest.mark.slow
def test_damaged_udpipe_model_never_aborts_the_process(tmp_path):
    body = parser_bytes()
    from cistell.parsing import Parser

    path = tmp_path / "en.udpipe"
    errors = []
    for damaged in [abort_udpipe(body), *(damage(body, n) for n in range(24))]:
        path.write_bytes(damaged)
        try:
            Parser(path)
        except FormatError as error:
            errors.append((error.code, error.place))
    assert errors[0] == ("model/not-udpipe", str(path))
    assert {*errors} == {errors[0]}


@pytest.mark.skipif(os.name != "posix", reason="files always have a name")
def test_aborted_process_leaves_no_temporary_file(tmp_path):
    # The checksums of this archive are right, so that UDPipe gets its damaged parser.
    parser = Reader(abort_udpipe(parser_bytes())).files()
    save_model(replace(small_resolver().model, parser=parser), tmp_path / "en.model")
    (tmp_path / "story.txt").write_text(TEXT)
    folder = tmp_path / "temporary"
    folder.mkdir()
    command = ["resolve", "story.txt", "--model", "en.model", "--wordnet", "none"]
    process = subprocess.run(
        [sys.executable, "-m", "corefkit", *command],
        cwd=tmp_path,
        env=os.environ | {"TMPDIR": str(folder)},
        stderr=subprocess.DEVNULL,
        check=False,
    )
    assert process.returncode == -signal.SIGABRT
    assert list(folder.iterdir()) == []
