"""Who is let in: this machine's name, the token, no other site."""

from __future__ import annotations

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from corefkit.serve.door import Door

HERE = "http://127.0.0.1:8000"
IN = 200


async def behind(scope, receive, send):
    await PlainTextResponse(scope.get("root_path", ""))(scope, receive, send)


def client(**options):
    return TestClient(Door(behind, **options), base_url=HERE, follow_redirects=False)


def status(method="POST", path="/runs", *, door=None, **headers):
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return (door or client()).request(method, path, headers=names).status_code


class TestHost:
    @pytest.mark.parametrize(
        "host", ["127.0.0.1:8000", "localhost:9000", "LOCALHOST", "[::1]:8000"]
    )
    def test_names_of_this_machine_are_let_in(self, host):
        assert status("GET", host=host) == IN

    @pytest.mark.parametrize(
        "host",
        [
            "evil.example",
            "evil.example:8000",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "127.0.0.1:8000@evil.example",
            "evil.example#127.0.0.1",
            "192.168.0.7",
            "[::2]",
            "127.0.0.1:x",
            ":8000",
            "",
        ],
    )
    def test_other_names_are_turned_away(self, host):
        assert status("GET", host=host) == 421

    def test_other_names_can_be_made_known(self):
        door = client(hosts=["corpora.example"])
        assert status("GET", door=door, host="corpora.example") == IN

    def test_addresses_are_known_where_others_reach_it(self):
        door = client(any_address=True)
        assert status("GET", door=door, host="192.168.0.7:8000") == IN
        assert status("GET", door=door, host="evil.example") == 421


class TestOrigin:
    def test_programs_send_none(self):
        assert status() == IN

    @pytest.mark.parametrize("method", ["POST", "DELETE", "PUT"])
    def test_own_pages_are_let_in(self, method):
        assert status(method, origin=HERE, sec_fetch_site="same-origin") == IN

    @pytest.mark.parametrize("method", ["POST", "DELETE", "PUT", "PATCH", "OPTIONS"])
    @pytest.mark.parametrize(
        "origin",
        [
            "http://evil.example",
            "http://127.0.0.1:9999",
            "http://localhost:8000",
            "null",
            "",
            "http://127.0.0.1:8000.evil.example",
            "file://127.0.0.1:8000",
        ],
    )
    def test_other_sites_are_turned_away(self, method, origin):
        assert status(method, origin=origin) == 403

    @pytest.mark.parametrize("site", ["cross-site", "same-site", "new-word"])
    def test_where_it_comes_from_is_enough(self, site):
        assert status(sec_fetch_site=site) == 403
        assert status("GET", sec_fetch_site=site) == 403

    @pytest.mark.parametrize("page", ["http://evil.example/", HERE + ".evil/", "", "x"])
    def test_old_browsers_say_it_by_the_page_alone(self, page):
        assert status(referer=page) == 403
        assert status("GET", referer=page) == IN
        assert status(referer=f"{HERE}/runs/1") == IN

    def test_two_words_are_not_believed(self):
        sites = [("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")]
        assert client().post("/runs", headers=sites).status_code == 403

    def test_links_elsewhere_may_open_a_page(self):
        words = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
        assert status("GET", sec_fetch_dest="document", **words) == IN
        assert status("POST", sec_fetch_dest="document", **words) == 403
        assert status("GET", sec_fetch_dest="iframe", **words) == 403


class TestToken:
    @pytest.fixture
    def door(self):
        return client(token="secret-1")

    @pytest.mark.parametrize(
        "path", ["/", "/runs", "/secret", "/secret-12/", "/x/secret-1/", "//secret-1/"]
    )
    def test_nothing_is_there_without_it(self, path, door):
        assert status("GET", path, door=door) == 404
        assert status("POST", path, door=door) == 404

    def test_it_leads_in(self, door):
        assert door.get("/secret-1/runs").text == "/secret-1"

    def test_a_slash_is_added(self, door):
        assert door.get("/secret-1").headers["location"] == "/secret-1/"

    def test_other_letters_are_no_defect(self, door):
        assert status("GET", "/%ff%00é/", door=door) == 404


def test_every_answer_has_the_headers():
    for answer in (
        client().get("/"),
        client().get("/", headers={"host": "evil.example"}),
    ):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "set-cookie" not in answer.headers
        assert not [
            name for name in answer.headers if name.startswith("access-control")
        ]
