"""Answers of the server, from uploads to reports and leaderboards."""

from __future__ import annotations

import asyncio
import gzip
import io
import zipfile

import httpx
import pytest
from serve.conftest import HERE

import corefkit
from corefkit.example import paths
from corefkit.results.stored_results import read_stored
from corefkit.serve.store import Store


def test_uploads_become_a_report(browser, example, tmp_path):
    key, careful, greedy = example
    job = browser.run(key, {"careful": careful, "greedy": greedy})
    assert job["state"] == "done", job
    page = browser.get(f"/{job['report']}")
    assert page.status_code == 200
    assert "sandbox allow-scripts" in page.headers["content-security-policy"]
    assert "careful" in page.text
    assert f'href="../{job["run"]}"' in page.text
    assert page.text.count("All runs") == 1
    download = browser.get(f"/{job['report']}?download")
    assert "attachment" in download.headers["content-disposition"]
    assert "All runs" not in download.text
    file = tmp_path / "scores.json"
    file.write_bytes(browser.get(f"/runs/{job['run']}/scores.json").content)
    result = corefkit.score(*paths()[:2])
    stored = read_stored(file)[0]
    assert stored.scores == result.scores
    assert len(stored.per_document) == 4
    csv = browser.get(f"/runs/{job['run']}/scores.csv")
    assert csv.headers["content-type"].startswith("text/csv")
    assert "careful,muc" in csv.text


def test_settings_are_those_of_score(browser, example):
    key, careful, _ = example
    job = browser.run(key, {"careful": careful}, singletons="drop", preset="ua")
    page = browser.get(f"/runs/{job['run']}").text
    expected = corefkit.score(*paths()[:2], singletons="drop", preset="ua")
    assert expected.signature in page
    board = browser.get(f"/keys/{browser.find_corpus(job)}").text
    assert '<option value="drop" selected>' in board
    assert '<option value="ua" selected>' in board


def test_pages_list_runs_with_names_and_notes(browser, example):
    key, careful, greedy = example
    assert "There are no runs yet" in browser.get("/").text
    first = browser.run(key, {"careful": careful}, name="Baseline", notes="no training")
    browser.run(key, {"greedy": greedy})
    home = browser.get("/").text
    for text in (
        "careful",
        "greedy",
        "4 documents",
        "Baseline",
        "no training",
        "Run 2",
    ):
        assert text in home
    assert home.count('href="keys/') == 3  # one leaderboard, two runs
    page = browser.get(f"/runs/{first['run']}").text
    assert "60.47" in page  # MUC
    assert "<h1>Baseline</h1>" in page
    assert "<noscript><p>Removing a run requires JavaScript" in page


class TestErrors:
    def test_unknown_setting_is_rejected(self, browser, example):
        answer = browser.post(example[0], {"a": example[1]}, matsch="head")
        assert answer.status_code == 400
        assert "unknown field 'matsch'" in answer.json()["error"]
        assert "match" in answer.json()["error"]

    def test_invalid_value_of_a_setting_fails(self, browser, example):
        job = browser.run(example[0], {"a": example[1]}, match="tail")
        assert job["state"] == "failed"
        assert "tail" in job["error"]

    def test_hint_about_the_format_names_the_form(self, browser, example):
        job = browser.run(b"once upon a time", {"a": example[1]})
        assert job["error"].startswith("key.conll:1: ")
        assert "choose the format under Settings" in job["error"]
        assert "--from" not in job["error"]
        assert browser.get("/runs/1").status_code == 404
        assert 'name="format"' in browser.get("/").text
        job = browser.run(example[0], {"a": example[1], "b": b"once"})
        page = browser.get(f"/runs/{job['run']}")
        assert "--from" not in page.text

    def test_format_can_be_chosen(self, browser, example):
        # Comments that are longer than the part of a file that is inspected.
        key = b"# x\n" * 300_000 + example[0]
        assert browser.run(key, {"a": key})["state"] == "failed"
        assert browser.run(key, {"a": key}, format="conll")["state"] == "done"

    def test_broken_response_is_skipped_and_listed(self, browser, example):
        key, careful, _ = example
        job = browser.run(key, {"careful": careful, "broken": b"once"})
        page = browser.get(f"/runs/{job['run']}").text
        assert "broken" in page
        assert "choose the format" in page
        board = browser.get(f"/keys/{browser.find_corpus(job)}").text
        assert "<h2>Rejected</h2>" in board
        assert "<b>broken</b>" in board

    def test_names_of_files_keep_their_suffixes(self, browser, example):
        key, careful, greedy = example
        files = {"careful.conll": careful, "greedy.conll": greedy, "b.conll": b"once"}
        job = browser.run(key, files)
        board = browser.get(f"/keys/{browser.find_corpus(job)}").text
        assert board.count("cannot be scored") == 0
        scored, rejected = board.split("<h2>Rejected</h2>")
        assert "careful.conll" in scored
        assert "greedy.conll" in scored
        assert "careful.conll" not in rejected
        assert "b.conll:1: " in rejected
        assert "./b.conll" not in rejected

    def test_only_broken_responses_fail(self, browser, example):
        job = browser.run(example[0], {"a": b"once", "b": b""})
        assert job["state"] == "failed"
        assert browser.get("/runs/1").status_code == 404

    def test_messages_contain_no_folder(self, browser, example, tmp_path):
        job = browser.run(example[0], {"../../etc/passwd": b"once"})
        assert str(tmp_path) not in job["error"]
        assert "run-" not in job["error"]

    @pytest.mark.parametrize(
        ("files", "fields", "message"),
        [
            ({"response": b"x"}, {}, "0 keys"),
            ({"key": b"x"}, {}, "0 responses"),
            ({"key": b"x", "other": b"x"}, {}, "unknown field"),
            ({"response": b"x"}, {"key": "text"}, "not a file"),
            ({"response": b"x"}, {"stored_key": "0 a"}, "is not stored"),
            ({"response": b"x"}, {"stored_key": "../../x"}, "has no name"),
        ],
    )
    def test_incomplete_forms_are_rejected(self, browser, files, fields, message):
        uploads = [(field, ("name", text)) for field, text in files.items()]
        answer = browser.client.post("/runs", files=uploads, data=fields)
        assert answer.status_code in (400, 404)
        assert message in answer.json()["error"]

    @pytest.mark.parametrize("content", [b"", b"{}", b"--x\r\n"])
    def test_malformed_forms_are_rejected(self, browser, content):
        headers = {"content-type": "multipart/form-data; boundary=x"}
        for more in ({}, headers):
            answer = browser.client.post("/runs", content=content, headers=more)
            assert answer.status_code == 400
            assert answer.json()["error"]

    def test_duplicate_names_are_rejected(self, browser, example):
        one = ("response", ("a", example[1]))
        files = [("key", ("key", example[0])), one, one]
        answer = browser.client.post("/runs", files=files)
        assert "2 responses are named 'a'" in answer.json()["error"]

    @pytest.mark.parametrize(
        "path",
        ["/runs/7", "/runs/7/report", "/runs/x", "/keys/..%2f..%2fetc", "/nothing",
         "/../../etc/passwd", "/static/../../x", "/jobs/7", "/runs/7/scores.json"],
    )  # fmt: skip
    def test_unknown_addresses_are_not_found(self, browser, path):
        assert browser.get(path).status_code == 404

    @pytest.mark.parametrize("digits", [18, 19, 30, 5000])
    def test_large_numbers_are_not_found(self, browser, digits):
        number = "9" * digits
        for path in ("", "/report", "/scores.json"):
            assert browser.get(f"/runs/{number}{path}").status_code == 404
        assert browser.client.delete(f"/runs/{number}").status_code == 404
        assert browser.get(f"/?before={number}").status_code == 200


def test_hostile_names_are_escaped(browser, example):
    hostile = "<script>alert(1)</script>&amp;\u2028\u202e\x1b[31m'"
    key, careful, _ = example
    job = browser.run(key, {hostile: careful}, name=hostile, notes=hostile)
    assert job["state"] == "done", job
    pages = [
        browser.get("/").text,
        browser.get(f"/runs/{job['run']}").text,
        browser.get(f"/keys/{browser.find_corpus(job)}").text,
        browser.get(f"/{job['report']}").text,
    ]
    for page in pages:
        assert "<script>alert" not in page
        assert "\x1b" not in page
        assert "\u2028" not in page
    assert all("\u202e" not in page for page in pages[:3])
    assert all("&lt;script&gt;alert" in page for page in pages[:3])


class TestLimits:
    def test_large_file_is_rejected(self, start_server):
        browser = start_server(file_bytes=1000)
        answer = browser.post(b"x" * 1000, {"a": b"x" * 1001})
        assert answer.status_code == 413
        assert "a has more than 1000 bytes" in answer.json()["error"]

    @pytest.mark.parametrize("is_announced", [True, False])
    def test_large_request_is_rejected(self, start_server, is_announced):
        browser = start_server(run_bytes=1000)
        content = b"x" * (3 << 20)
        body = (
            content
            if is_announced
            else (content[at : at + 999] for at in range(0, len(content), 999))
        )
        headers = {"content-type": "multipart/form-data; boundary=x"}
        answer = browser.client.post("/runs", content=body, headers=headers)
        assert answer.status_code == 413
        assert "more than 1000 bytes" in answer.json()["error"]

    def test_large_run_is_rejected(self, start_server):
        browser = start_server(run_bytes=100)
        assert browser.post(b"k" * 50, {"a": b"a" * 60}).status_code == 413

    def test_many_responses_are_rejected(self, start_server):
        browser = start_server(responses=2)
        answer = browser.post(b"key", {"a": b"a", "b": b"b", "c": b"c"})
        assert answer.status_code in (400, 413)

    def test_long_names_are_rejected(self, browser):
        assert browser.post(b"key", {"a" * 201: b"a"}).status_code == 400
        assert browser.post(b"key", {"a": b"a"}, name="a" * 201).status_code == 400
        assert browser.post(b"key", {"a": b"a"}, notes="a" * 2001).status_code == 400

    def test_compressed_files_are_read(self, browser, example):
        key, careful, _ = example
        job = browser.run(gzip.compress(key), {"a.gz": gzip.compress(careful)})
        assert job["state"] == "done", job

    def test_compressed_file_beyond_the_limit_is_rejected(self, start_server, example):
        browser = start_server(file_bytes=100_000)
        bomb = gzip.compress(b"\0" * 10_000_000)
        answer = browser.post(example[0], {"bomb.gz": bomb})
        assert answer.status_code == 413
        assert "decompresses to more than 97.7 KB" in answer.json()["error"]

    def test_truncated_gzip_is_rejected(self, browser, example):
        answer = browser.post(example[0], {"a.gz": gzip.compress(example[1])[:-20]})
        assert answer.status_code == 400
        assert "a.gz cannot be decompressed" in answer.json()["error"]

    def test_archives_are_rejected(self, browser, example):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("../../etc/passwd", example[1])
        answer = browser.post(example[0], {"a.zip": packed.getvalue()})
        assert answer.status_code == 400
        assert "a.zip is an archive" in answer.json()["error"]

    def test_full_database_accepts_no_runs(self, start_server, example):
        browser = start_server(database_bytes=150_000)
        assert browser.run(example[0], {"a": example[1]})["state"] == "done"
        browser.run(example[0], {"b": example[2]})
        answer = browser.client.post("/example")
        assert answer.status_code == 507
        assert "remove runs" in answer.json()["error"]
        browser.client.delete("/runs/1")
        browser.client.delete("/runs/2")
        browser.wait(browser.client.post("/example"))


def test_removed_run_is_gone(browser, example):
    job = browser.run(example[0], {"a": example[1]})
    address = f"/runs/{job['run']}"
    assert browser.client.delete(address).json() == {"removed": job["run"]}
    assert browser.get(address).status_code == 404
    assert browser.client.delete(address).status_code == 404


def test_other_sites_cannot_change_runs(browser, example):
    job = browser.run(example[0], {"a": example[1]})
    evil = {"origin": "http://evil.example"}
    for method, path in [
        ("DELETE", f"/runs/{job['run']}"),
        ("POST", "/runs"),
        ("POST", "/example"),
    ]:
        answer = browser.client.request(method, path, headers=evil)
        assert answer.status_code == 403
    assert browser.get(f"/runs/{job['run']}").status_code == 200
    assert browser.get("/runs/2").status_code == 404


def test_example_is_a_run(browser):
    job = browser.wait(browser.client.post("/example"))
    assert job["state"] == "done", job
    assert "careful.conll" in browser.get(f"/runs/{job['run']}").text


class TestBoard:
    def test_stored_files_can_be_compared_with_new_ones(self, browser, example):
        key, careful, greedy = example
        job = browser.run(key, {"careful": careful})
        board = browser.get(f"/keys/{browser.find_corpus(job)}").text
        stored = board.partition('data-stored="')[2].partition('"')[0]
        stored_key = board.partition('name="stored_key" value="')[2].partition('"')[0]
        fields = {"stored_response": f"{stored} (run 1)"}
        job = browser.run(stored_key, {"greedy": greedy}, **fields)
        assert job["state"] == "done", job
        assert "careful (run 1)" in browser.get(f"/{job['report']}").text

    def test_board_ranks_all_runs(self, browser, example, tmp_path):
        key, careful, greedy = example
        browser.run(key, {"careful": careful})
        corefkit.write(corefkit.read(paths()[0]), tmp_path / "key.jsonl")
        job = browser.run((tmp_path / "key.jsonl").read_bytes(), {"greedy": greedy})
        browser.run(key, {"careful again": careful})
        browser.run(key, {"careful": careful}, singletons="drop")
        board = browser.get(f"/keys/{browser.find_corpus(job)}").text
        rows = board.split("<tbody>")[1:]
        assert len(rows) == 3  # one of them with other settings
        assert "singletons drop" in board
        assert "Rank: 1 and the number of systems" in board  # ranks of a test

    def test_board_draws_the_history_of_a_system(self, browser, example):
        key, careful, greedy = example
        browser.run(key, {"ours": careful}, name="first try")
        job = browser.run(key, {"ours": greedy}, name="second try")
        board = browser.get(f"/keys/{browser.find_corpus(job)}").text
        assert "History" in board
        assert board.index("first try, ") < board.index("second try, ")

    def test_board_is_sorted_by_a_metric(self, browser, example):
        key, careful, greedy = example
        job = browser.run(key, {"careful": careful, "greedy": greedy})
        address = f"/keys/{browser.find_corpus(job)}"
        first_is_greedy = {
            metric: browser.get(f"{address}?sort={metric}")
            .text.split("<tbody>")[1]
            .find(">greedy<")
            > 0
            for metric in ("muc", "lea")
        }
        assert first_is_greedy == {"muc": True, "lea": False}
        wrong = browser.get(f"{address}?sort=<b>")
        assert wrong.status_code == 400
        assert "<b>" not in wrong.text


class TestSubmitOnly:
    @pytest.fixture
    def browsers(self, start_server):
        return start_server(submitters=("red", "blue"))

    def test_submitter_uploads_and_sees_own_runs_only(self, browsers, example):
        owner, red, blue = browsers
        key, careful, greedy = example
        assert "There is no key yet" in red.get("/").text
        job = owner.run(key, {"careful": careful})
        home = red.get("/").text
        assert "careful" not in home
        stored_key = home.partition('<option value="')[2].partition('"')[0]
        done = red.run(stored_key, {"submission": greedy})
        assert done["state"] == "done", done
        assert red.get(f"/{done['report']}").status_code == 200
        assert red.get(f"/runs/{done['run']}/scores.csv").status_code == 200
        assert "by red" in owner.get("/").text
        assert ">submission<" in owner.get(f"/keys/{owner.find_corpus(job)}").text
        for path in (f"/runs/{done['run']}", f"/{done['report']}"):
            assert blue.get(path).status_code == 404
        assert "submission" not in blue.get("/").text
        assert red.get(f"/runs/{job['run']}").status_code == 404

    def test_submitter_cannot_remove_or_upload_keys(self, browsers, example):
        owner, red, _ = browsers
        key, careful, _ = example
        job = owner.run(key, {"careful": careful})
        stored = red.get("/").text.partition('<option value="')[2].partition('"')[0]
        done = red.run(stored, {"ours": careful})
        for number in (job["run"], done["run"]):
            address = f"{red.root}/runs/{number}"
            assert red.client.delete(address).status_code == 403
        assert red.post(key, {"ours": careful}).status_code == 403
        assert red.client.post(f"{red.root}/example").status_code == 403
        board = f"/keys/{owner.find_corpus(job)}"
        assert red.get(board).status_code == 403
        assert owner.get(f"/runs/{done['run']}").status_code == 200

    def test_addresses_of_submitters_survive_a_restart(self, start_server):
        first = [browser.root for browser in start_server(submitters=("red",))]
        second = [browser.root for browser in start_server(submitters=("red",))]
        assert first[0] != second[0]
        assert first[1] == second[1]


@pytest.mark.slow
def test_slow_upload_is_rejected(start_server):
    browser = start_server(upload_seconds=1)

    async def send_slowly():
        yield b"--x\r\n"
        await asyncio.sleep(60)

    async def post():
        transport = httpx.ASGITransport(browser.client.app)
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
            headers = {"content-type": "multipart/form-data; boundary=x"}
            return await client.post("/runs", content=send_slowly(), headers=headers)

    answer = asyncio.run(post())
    assert answer.status_code == 408
    assert "more than 1 seconds" in answer.json()["error"]


def test_defect_is_reported(browser, monkeypatch):
    monkeypatch.setattr(Store, "list_runs", lambda *_, **__: 1 / 0)
    answer = browser.get("/")
    assert answer.status_code == 500
    assert "a defect of corefkit" in answer.text
