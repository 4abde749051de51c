"""Requests pass by host name, token and origin."""

from __future__ import annotations

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from corefkit.serve.app import SUBMITTER, Gate

HERE = "http://127.0.0.1:8000"
PASSED = 200


async def answer_root(scope, receive, send):
    await PlainTextResponse(f"{scope.get('root_path', '')} {scope.get(SUBMITTER, '')}")(
        scope, receive, send
    )


def client(**options):
    return TestClient(
        Gate(answer_root, **options), base_url=HERE, follow_redirects=False
    )


def status(method="POST", path="/runs", *, gate=None, **headers):
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return (gate or client()).request(method, path, headers=names).status_code


class TestHost:
    @pytest.mark.parametrize(
        "host", ["127.0.0.1:8000", "localhost:9000", "LOCALHOST", "[::1]:8000"]
    )
    def test_host_names_of_this_machine_pass(self, host):
        assert status("GET", host=host) == PASSED

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
    def test_other_host_names_are_rejected(self, host):
        assert status("GET", host=host) == 421

    def test_configured_host_name_passes(self):
        gate = client(hosts=["corpora.example"])
        assert status("GET", gate=gate, host="corpora.example") == PASSED

    def test_ip_addresses_pass_on_a_public_server(self):
        gate = client(any_address=True)
        assert status("GET", gate=gate, host="192.168.0.7:8000") == PASSED
        assert status("GET", gate=gate, host="evil.example") == 421


class TestOrigin:
    def test_clients_without_origin_pass(self):
        assert status() == PASSED

    @pytest.mark.parametrize("method", ["POST", "DELETE", "PUT"])
    def test_same_origin_passes(self, method):
        assert status(method, origin=HERE, sec_fetch_site="same-origin") == PASSED

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
    def test_other_origins_are_rejected(self, method, origin):
        assert status(method, origin=origin) == 403

    @pytest.mark.parametrize("site", ["cross-site", "same-site", "new-word"])
    def test_cross_site_fetch_is_rejected(self, site):
        assert status(sec_fetch_site=site) == 403
        assert status("GET", sec_fetch_site=site) == 403

    @pytest.mark.parametrize("page", ["http://evil.example/", HERE + ".evil/", "", "x"])
    def test_referer_of_old_browsers_is_checked(self, page):
        assert status(referer=page) == 403
        assert status("GET", referer=page) == PASSED
        assert status(referer=f"{HERE}/runs/1") == PASSED

    def test_contradictory_headers_are_rejected(self):
        sites = [("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")]
        assert client().post("/runs", headers=sites).status_code == 403

    def test_links_on_other_sites_may_open_a_page(self):
        words = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
        assert status("GET", sec_fetch_dest="document", **words) == PASSED
        assert status("POST", sec_fetch_dest="document", **words) == 403
        assert status("GET", sec_fetch_dest="iframe", **words) == 403


class TestToken:
    @pytest.fixture
    def gate(self):
        return client(tokens={"secret-1": "", "secret-2": "team"})

    @pytest.mark.parametrize(
        "path", ["/", "/runs", "/secret", "/secret-12/", "/x/secret-1/", "//secret-1/"]
    )
    def test_address_without_token_is_not_found(self, path, gate):
        assert status("GET", path, gate=gate) == 404
        assert status("POST", path, gate=gate) == 404

    def test_each_token_opens_its_address(self, gate):
        assert gate.get("/secret-1/runs").text == "/secret-1 "
        assert gate.get("/secret-2/runs").text == "/secret-2 team"

    def test_missing_slash_redirects(self, gate):
        assert gate.get("/secret-1").headers["location"] == "/secret-1/"

    def test_invalid_utf8_is_not_found(self, gate):
        assert status("GET", "/%ff%00é/", gate=gate) == 404


def test_all_responses_have_security_headers():
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
