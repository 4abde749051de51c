"""`corefkit serve` in a browser: from dropped files to a report, and other sites."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from browser.looking import faults, shoot
from serve.servers import started

from corefkit.example import paths

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PATIENCE = 60_000
HOSTILE = "<script>alert(1)</script>&amp;\u202eabc.conll"


@pytest.fixture
def server(tmp_path):
    with started(tmp_path / "runs.sqlite", "--at-once", "1") as running:
        yield running


def choose(page, key, *responses):
    """Choose files, each a path or a name with its bytes."""
    page.set_input_files("#key", key)
    page.set_input_files("#responses", [*responses])


def make_report(page):
    page.click("text=Make the report")
    page.wait_for_url("**/report", timeout=PATIENCE)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_files_become_a_report(server, open_page, scheme):
    page = open_page(server.address, color_scheme=scheme)
    assert faults(page) == []
    key, *responses = paths()
    choose(page, key, *responses)
    fields = page.eval_on_selector_all(
        "#responses-chosen input", "all => all.map(one => one.value)"
    )
    assert fields == ["careful", "greedy"]
    page.fill("#responses-chosen input >> nth=1", "ours")
    shoot(page, f"serve-chosen-{scheme}")
    make_report(page)
    # It can do nothing at the server, and all that the file can.
    assert page.evaluate("self.origin") == "null"
    page.click("[href^='#d=']")
    page.wait_for_selector("[data-token]")
    page.keyboard.press("n")
    assert "&e=" in page.url
    text = page.text_content("body")
    assert "careful" in text
    assert "ours" in text
    page.goto(server.address)
    page.click("[href^='keys/']")
    page.wait_for_selector("text=Leaderboard: key.conll")
    assert faults(page) == []
    shoot(page, f"serve-leaderboard-{scheme}")


def test_a_report_is_the_file_that_report_writes(server, open_page, tmp_path):
    import corefkit

    page = open_page(server.address)
    page.click("text=Try the bundled example")
    page.wait_for_url("**/report", timeout=PATIENCE)
    key, *responses = paths()
    report = corefkit.make_report(key, {path.name: path for path in responses})
    page.click("text=All runs")
    page.wait_for_selector("text=New report")
    page.go_back()
    page.click("header >> text=Bundled example")
    page.wait_for_selector("text=Open the report")
    served = server.client.get("runs/1/report?download").text
    assert served == report.to_html().replace(str(key), key.name)
    assert str(tmp_path) not in served


def test_earlier_responses_are_compared_with_new_ones(server, open_page):
    page = open_page(server.address)
    key, careful, greedy = paths()
    choose(page, key, careful)
    make_report(page)
    page.goto(server.address)
    page.click("[href^='keys/']")
    assert faults(page) == []
    assert "Nothing is ticked" in page.text_content("#ticked")
    page.check("[data-stored]")
    assert "Ticked in the leaderboard: careful." in page.text_content("#ticked")
    # A new response of the same name does not hide the earlier one.
    file = {"name": "careful.conll", "mimeType": "", "buffer": greedy.read_bytes()}
    page.set_input_files("#responses", file)
    make_report(page)
    assert "careful (run 1)" in page.text_content("body")


def test_files_can_be_dropped_and_names_are_text(server, open_page):
    page = open_page(server.address)
    key, careful, _ = paths()
    for place, name, path in [("key", "key", key), ("responses", HOSTILE, careful)]:
        transfer = page.evaluate_handle(
            """([name, text]) => {
                const transfer = new DataTransfer();
                transfer.items.add(new File([text], name));
                return transfer;
            }""",
            [name, path.read_text("utf-8")],
        )
        page.dispatch_event(f"[data-for={place}]", "drop", {"dataTransfer": transfer})
    assert "<script>alert(1)</script>" in page.text_content("#responses-chosen")
    make_report(page)
    for address in ("", "runs/1"):
        page.goto(server.address + address)
        assert "<script>alert(1)</script>" in page.text_content("main")
        assert page.query_selector("main script") is None


def test_what_goes_wrong_is_said(server, open_page):
    page = open_page(server.address)
    page.click("text=Make the report")
    assert "Choose a key" in page.text_content("#trouble")
    bad = {"name": "a.conll", "mimeType": "", "buffer": b"once upon a time"}
    choose(page, paths()[0], bad)
    page.click("text=Make the report")
    page.wait_for_selector("#trouble:has-text('is in an unknown format')")
    assert faults(page) == []
    page.click("text=Remove")
    assert page.text_content("#responses-chosen") == ""


def test_a_run_is_removed_by_pressing_twice(server, open_page):
    server.job(server.client.post("example"))
    page = open_page(server.address + "runs/1")
    assert faults(page) == []
    shoot(page, "serve-run")
    page.click("text=Remove this run")
    page.focus("text=Open the report")
    page.click("text=Remove this run")
    assert server.client.get("runs/1").status_code == 200
    page.click("text=Press again")
    page.wait_for_url(server.address)
    assert server.client.get("runs/1").status_code == 404


EVIL = """<!DOCTYPE html><title>evil</title><form id=f method=post enctype=text/plain
 action="{target}example" target=frame></form><iframe name=frame></iframe><script>
async function attack() {{
  const said = [];
  for (const [method, path] of [["POST", "example"],
      ["POST", "runs"], ["DELETE", "runs/1"], ["GET", ""], ["GET", "runs/1/report"]]) {{
    for (const mode of ["cors", "no-cors"]) {{
      const body = method === "POST" ? "x" : undefined;
      try {{
        const answer = await fetch("{target}" + path, {{ method, mode, body }});
        said.push(`${{method}} ${{path}} ${{mode}}: ${{await answer.text()}}`);
      }} catch (error) {{ said.push(""); }}
    }}
  }}
  document.getElementById("f").submit();
  await new Promise((go) => setTimeout(go, 500));
  return said;
}}
</script>"""


def test_another_site_in_the_same_browser_changes_nothing(server, chromium):
    server.job(server.client.post("example"))
    page_text = EVIL.format(target=server.address).encode()

    class Evil(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page_text)

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Evil) as site, chromium.context() as context:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        for name in ("127.0.0.1", "localhost"):
            page = context.new_page()
            page.goto(f"http://{name}:{site.server_port}/")
            said = page.evaluate("attack()")
            assert len(said) == 10
            # Nothing can be read; what is sent without asking is refused.
            assert [one for one in said if one and not one.endswith(": ")] == []
        site.shutdown()
    assert server.client.get("runs/1").status_code == 200
    # Runs are scored one after the other: there was none between these two.
    assert server.job(server.client.post("example"))["run"] == 2
