"""What a server answers, from files to a report."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import io
import json
import zipfile

import httpx
import pytest
from serve.conftest import HERE
from starlette.testclient import TestClient

import corefkit
from corefkit.example import paths
from corefkit.results.stored_results import read_stored
from corefkit.serve.store import Store


def test_files_become_a_report(asking, example, tmp_path):
    key, careful, greedy = example
    job = asking.run(key, {"careful": careful, "greedy": greedy})
    assert job["state"] == "done"
    page = asking.client.get(f"/{job['report']}")
    assert page.status_code == 200
    assert "sandbox allow-scripts" in page.headers["content-security-policy"]
    assert "careful" in page.text
    assert f'href="../{job["run"]}"' in page.text
    assert page.text.count("All runs") == 1
    file = tmp_path / "scores.json"
    file.write_bytes(asking.client.get(f"/runs/{job['run']}/scores.json").content)
    result = corefkit.score(*paths()[:2])
    stored = read_stored(file)[0]
    assert stored.scores == result.scores
    assert len(stored.per_document) == 4


def test_settings_are_those_of_scoring(asking, example):
    key, careful, _ = example
    job = asking.run(key, {"careful": careful}, singletons="drop")
    page = asking.client.get(f"/runs/{job['run']}").text
    assert corefkit.score(*paths()[:2], singletons="drop").signature in page


def test_pages_show_runs(asking, example):
    key, careful, greedy = example
    assert "There is no run yet" in asking.client.get("/").text
    first = asking.run(key, {"careful": careful})
    asking.run(key, {"greedy": greedy})
    home = asking.client.get("/").text
    assert "careful" in home
    assert "greedy" in home
    assert "4 documents" in home
    assert home.count('href="keys/') == 3  # of one leaderboard and two runs
    page = asking.client.get(f"/runs/{first['run']}").text
    assert "60.47" in page  # MUC
    assert "<noscript><p>Removing a run needs JavaScript" in page


class TestMistakes:
    def test_unknown_settings_are_said_in_words(self, asking, example):
        job = asking.run(*example[:1], {"a": example[1]}, matsch="head")
        assert job["state"] == "failed"
        assert "unknown setting 'matsch'" in job["error"]

    @pytest.mark.parametrize("name", ["key", "responses", "skip_broken", "progress"])
    def test_what_is_no_setting_is_no_defect(self, asking, example, name):
        file = asking.send(example[0])
        one = {"file": file, "name": "a"}
        asked = {"key": one, "responses": [one], "settings": {name: "x"}}
        job = asking.finished(asking.client.post("/runs", json=asked))
        assert job["error"] == f"unknown setting {name!r}"

    def test_the_hint_for_a_format_is_one_that_the_form_has(self, asking, example):
        job = asking.run(b"once upon a time", {"a": example[1]})
        assert "choose the format under Settings" in job["error"]
        assert "--from" not in job["error"]
        assert 'data-setting="format"' in asking.client.get("/").text
        job = asking.run(example[0], {"a": example[1], "b": b"once"})
        page = asking.client.get(f"/runs/{job['run']}")
        report = asking.client.get(f"/{job['report']}")
        assert "--from" not in page.text + report.text

    def test_a_format_can_be_named(self, asking, example):
        # Comments first, for longer than files are looked into.
        key = b"# x\n" * 300_000 + example[0]
        assert asking.run(key, {"a": key})["state"] == "failed"
        assert asking.run(key, {"a": key}, format="conll")["state"] == "done"

    def test_a_key_that_is_none_fails(self, asking, example):
        job = asking.run(b"once upon a time", {"a": example[1]})
        assert job["error"].startswith("key.conll:1: is in no format known here")
        assert asking.client.get("/runs/1").status_code == 404

    def test_one_broken_response_is_left_out(self, asking, example):
        key, careful, _ = example
        job = asking.run(key, {"careful": careful, "broken": b"once"})
        page = asking.client.get(f"/runs/{job['run']}").text
        assert "broken" in page
        assert "is in no format known here" in page

    def test_only_broken_responses_fail(self, asking, example):
        job = asking.run(example[0], {"a": b"once", "b": b""})
        assert job["state"] == "failed"
        assert "none of 2 responses can be scored" in job["error"]

    def test_messages_name_no_folder(self, asking, example, tmp_path):
        job = asking.run(example[0], {"../../etc/passwd": b"once"})
        assert str(tmp_path) not in job["error"]
        assert "etc_passwd:1: is in no format" in job["error"]
        assert "run-" not in job["error"]

    @pytest.mark.parametrize(
        ("asked", "words"),
        [
            (b"", "no JSON"),
            (b"[" * 100_000, "no JSON"),
            (b"[]", "expected an object"),
            (b'{"key": 1, "responses": [], "x": 1}', "expected an object"),
            (b'{"key": 1, "responses": []}', "no response"),
            (b'{"key": 1, "responses": [7]}', "'response' is 7"),
        ],
    )
    def test_requests_that_are_none(self, asking, asked, words):
        answer = asking.client.post("/runs", content=asked)
        assert answer.status_code == 400
        assert words in answer.json()["error"]

    @pytest.mark.parametrize("file", ["../../x", "", 7, "0" * 63, "G" * 64, None])
    def test_files_are_hashes(self, asking, file):
        named = {"file": file, "name": "a"}
        asked = {"key": named, "responses": [named]}
        answer = asking.client.post("/runs", json=asked)
        assert answer.status_code == 400
        assert "expected what sending the file answered" in answer.json()["error"]

    def test_files_that_were_not_sent(self, asking):
        named = {"file": "0" * 64, "name": "a"}
        answer = asking.client.post("/runs", json={"key": named, "responses": [named]})
        assert answer.status_code == 404
        assert "is not here" in answer.json()["error"]

    def test_names_are_told_apart(self, asking, example):
        file = asking.send(example[1])
        one = {"file": file, "name": "a"}
        answer = asking.client.post("/runs", json={"key": one, "responses": [one, one]})
        assert "two responses are called 'a'" in answer.json()["error"]

    @pytest.mark.parametrize(
        "path",
        ["/runs/7", "/runs/7/report", "/runs/x", "/keys/..%2f..%2fetc", "/nothing",
         "/../../etc/passwd", "/static/../../x", "/jobs/7", "/runs/7/scores.json"],
    )  # fmt: skip
    def test_what_is_not_there(self, asking, path):
        assert asking.client.get(path).status_code == 404

    @pytest.mark.parametrize("digits", [18, 19, 30, 5000])
    def test_large_numbers_are_no_defect(self, asking, digits):
        number = "9" * digits
        for path in ("", "/report", "/scores.json"):
            assert asking.client.get(f"/runs/{number}{path}").status_code == 404
        assert asking.client.delete(f"/runs/{number}").status_code == 404
        assert asking.client.get(f"/?before={number}").status_code == 200


class TestHostileText:
    NAME = "<script>alert(1)</script>&amp;\u2028\u202e\x1b[31m\"'"

    def test_names_are_text(self, asking, example):
        key, careful, _ = example
        job = asking.run(key, {self.NAME: careful})
        assert job["state"] == "done"
        run = asking.client.get(f"/runs/{job['run']}").text
        corpus = run.partition("../keys/")[2].partition('"')[0]
        pages = [
            *(asking.client.get("/").text, run),
            *(asking.client.get(f"/keys/{corpus}").text,),
            *(asking.client.get(f"/{job['report']}").text,),
        ]
        for page in pages:
            assert "<script>alert" not in page
            assert "\x1b" not in page
            assert "\u2028" not in page
        assert all("\u202e" not in page for page in pages[:3])
        assert all("&lt;script&gt;alert" in page for page in pages[:3])

    def test_half_characters_are_refused(self, asking, example):
        file = asking.send(example[1])
        one = f'{{"file": "{file}", "name": "\\ud800"}}'
        asked = f'{{"key": {one}, "responses": [{one}]}}'
        answer = asking.client.post("/runs", content=asked)
        assert answer.status_code == 400


class TestLimits:
    def test_a_large_file_is_refused(self, serving):
        asking = serving(file_bytes=1000)
        assert asking.send(b"x" * 1000)
        answer = asking.client.post("/files", content=b"x" * 1001)
        assert answer.status_code == 413
        assert "more than 1000 bytes" in answer.json()["error"]

    def test_its_size_is_counted_not_believed(self, serving):
        asking = serving(file_bytes=1000)
        answer = asking.client.post("/files", content=(b"x" * 600 for _ in range(3)))
        assert answer.status_code == 413

    def test_room_for_files_that_wait_is_given_back(self, serving):
        asking = serving(file_bytes=1000, waiting_bytes=1500)
        asking.send(b"a" * 1000)
        asking.send(b"a" * 400)
        for _ in range(5):
            answer = asking.client.post("/files", content=b"b" * 900)
            assert answer.status_code == 503
            assert "retry-after" in answer.headers
        asking.send(b"c" * 100)

    def test_many_responses_are_refused(self, serving):
        asking = serving(responses=2)
        answer = asking.ask(b"key", {"a": b"a", "b": b"b", "c": b"c"})
        assert answer.status_code == 413

    def test_large_runs_are_refused(self, serving):
        asking = serving(run_bytes=100)
        assert asking.ask(b"k" * 50, {"a": b"a" * 60}).status_code == 413

    def test_long_requests_are_refused(self, serving):
        asking = serving(request_bytes=100)
        assert asking.client.post("/runs", content=b"x" * 101).status_code == 413

    def test_long_names_are_refused(self, asking):
        assert asking.ask(b"key", {"a" * 201: b"a"}).status_code == 400

    def test_a_file_that_unpacks_to_too_much_is_refused(self, serving, example):
        asking = serving(file_bytes=100_000)
        bomb = gzip.compress(b"\0" * 10_000_000)
        job = asking.run(example[0], {"bomb.conll.gz": bomb})
        assert "bomb.conll.gz: unpacks to more than 97.7 KB" in job["error"]

    def test_packed_files_are_read(self, asking, example):
        key, careful, _ = example
        job = asking.run(gzip.compress(key), {"a.gz": gzip.compress(careful)})
        assert job["state"] == "done"

    def test_broken_packing_is_said_in_words(self, asking, example):
        job = asking.run(example[0], {"a.gz": gzip.compress(example[1])[:-20]})
        assert "a.gz: cannot be unpacked" in job["error"]

    def test_archives_are_refused(self, asking, example):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("../../etc/passwd", example[1])
        job = asking.run(example[0], {"a.zip": packed.getvalue()})
        assert "a.zip: is an archive, expected a file" in job["error"]


def test_removing(asking, example):
    job = asking.run(example[0], {"a": example[1]})
    address = f"/runs/{job['run']}"
    assert asking.client.delete(address).json() == {"removed": job["run"]}
    assert asking.client.get(address).status_code == 404
    assert asking.client.delete(address).status_code == 404


def test_other_sites_change_nothing(asking, example):
    job = asking.run(example[0], {"a": example[1]})
    evil = {"origin": "http://evil.example"}
    for method, path in [
        ("DELETE", f"/runs/{job['run']}"),
        ("POST", "/files"),
        ("POST", "/runs"),
        ("POST", "/example"),
    ]:
        answer = asking.client.request(method, path, headers=evil)
        assert answer.status_code == 403
    assert asking.client.get(f"/runs/{job['run']}").status_code == 200
    assert asking.client.get("/runs/2").status_code == 404


def test_the_example_is_a_run(asking):
    job = asking.finished(asking.client.post("/example"))
    assert job["state"] == "done"
    page = asking.client.get(f"/runs/{job['run']}").text
    assert "careful.conll" in page


class TestEarlierRuns:
    def test_files_of_runs_need_not_be_sent_again(self, asking, example):
        key, careful, greedy = example
        asking.run(key, {"careful": careful})
        new = {"file": asking.send(greedy), "name": "greedy"}
        known = dict(zip(["key", "careful"], map(_hash, (key, careful)), strict=True))
        asked = {
            "key": {"file": known["key"], "name": "key"},
            "responses": [{"file": known["careful"], "name": "careful (run 1)"}, new],
        }
        job = asking.finished(asking.client.post("/runs", json=asked))
        assert job["state"] == "done", job
        assert "careful (run 1)" in asking.client.get(f"/{job['report']}").text

    def test_the_leaderboard_ranks_all_runs(self, asking, example, tmp_path):
        key, careful, greedy = example
        asking.run(key, {"careful": careful})
        corefkit.write(corefkit.read(paths()[0]), tmp_path / "key.jsonl")
        job = asking.run((tmp_path / "key.jsonl").read_bytes(), {"greedy": greedy})
        asking.run(key, {"careful again": careful})
        asking.run(key, {"careful": careful}, singletons="drop")
        page = asking.client.get(f"/runs/{job['run']}").text
        corpus = page.partition("../keys/")[2].partition('"')[0]
        board = asking.client.get(f"/keys/{corpus}").text
        rows = board.split("<tbody>")[1:]
        assert len(rows) == 3  # one of them under other settings
        assert "singletons:drop" in board
        ranks = [json.dumps(name) in row for row in rows for name in ("careful again",)]
        assert ranks.count(True) <= 1

    def test_the_leaderboard_is_ranked_by_a_metric(self, asking, example):
        key, careful, greedy = example
        job = asking.run(key, {"careful": careful, "greedy": greedy})
        page = asking.client.get(f"/runs/{job['run']}").text
        corpus = page.partition("../keys/")[2].partition('"')[0]
        orders = {
            by: asking.client.get(f"/keys/{corpus}?sort={by}").text
            for by in ("muc", "lea")
        }
        first = {
            by: text.split("<tbody>")[1].find(">greedy<") > 0
            for by, text in orders.items()
        }
        assert first == {"muc": True, "lea": False}
        wrong = asking.client.get(f"/keys/{corpus}?sort=<b>")
        assert wrong.status_code == 400
        assert "<b>" not in wrong.text


def _hash(content):
    return hashlib.sha256(content).hexdigest()


@pytest.mark.slow
def test_a_slow_sender_is_refused(serving):
    asking = serving(upload_seconds=1)

    async def slowly():
        """Send some bytes, and no more."""
        yield b"#begin"
        await asyncio.sleep(60)

    async def answered():
        transport = httpx.ASGITransport(asking.client.app)
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
            return [
                await client.post(path, content=slowly())
                for path in ("/files", "/runs")
            ]

    for answer in asyncio.run(answered()):
        assert answer.status_code == 408
        assert "more than 1 seconds" in answer.json()["error"]


def test_a_full_database_takes_no_more(serving, example):
    asking = serving(database_bytes=150_000)
    assert asking.run(example[0], {"a": example[1]})["state"] == "done"
    asking.run(example[0], {"b": example[2]})
    answer = asking.client.post("/example")
    assert answer.status_code == 507
    assert "remove runs that nobody needs" in answer.json()["error"]
    asking.client.delete("/runs/1")
    asking.client.delete("/runs/2")
    assert asking.client.post("/example").status_code == 202


def test_a_defect_is_said(asking, monkeypatch):
    monkeypatch.setattr(Store, "runs", lambda *_, **__: 1 / 0)
    client = TestClient(asking.client.app, base_url=HERE, raise_server_exceptions=False)
    answer = client.get("/")
    assert answer.status_code == 500
    assert "a defect of corefkit" in answer.text


def test_a_new_run_begins_with_the_settings_of_the_last(asking, example):
    job = asking.run(example[0], {"a": example[1]}, singletons="drop", preset="ua")
    page = asking.client.get(f"/runs/{job['run']}").text
    corpus = page.partition("../keys/")[2].partition('"')[0]
    board = asking.client.get(f"/keys/{corpus}").text
    assert '<option value="drop" selected>' in board
    assert '<option value="ua" selected>' in board
