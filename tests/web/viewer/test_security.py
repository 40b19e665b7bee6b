"""Access control: only the server's own page is served."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from select import select

import pytest
from viewer_stage import PATIENCE, ROOT, Viewer, stand
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from steerageway.web.security import Gate, names_of
from steerageway.web.serving import MOST_CONNECTIONS

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def viewer(tmp_path_factory, finished):
    """Return a viewer of a run that has ended."""
    with stand(tmp_path_factory.mktemp("security")) as stage:
        viewer = stage.view(finished)
        viewer.handshake()
        yield viewer


def test_requests_with_the_cookie_are_answered(viewer: Viewer):
    answer = viewer.request("GET", "/api/home", Cookie=viewer.cookie)
    assert answer.status == 200
    assert answer.headers["cache-control"] == "no-store"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/api/home", "/api/source/1/csv", "/api/source/1/mesh/a", "/ws"])
def test_without_the_cookie_nothing_is_disclosed(viewer: Viewer, path: str):
    assert viewer.request("GET", path).status == 401
    assert viewer.request("GET", path, Cookie=f"steerageway_{viewer.port}=guess").status == 401


def test_the_page_itself_holds_no_data_and_needs_no_cookie(viewer: Viewer):
    answer = viewer.request("GET", "/")
    assert answer.status == 200
    assert viewer.token.encode() not in answer.body


def test_an_invalid_token_gets_no_cookie(viewer: Viewer):
    answer = viewer.request("POST", "/session", "guess", Origin=viewer.base)
    assert answer.status == 403
    assert "set-cookie" not in answer.headers


def test_the_cookie_is_for_no_script_and_no_other_site(viewer: Viewer):
    answer = viewer.request("POST", "/session", viewer.token, Origin=viewer.base)
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {
        part.strip() for part in answer.headers["set-cookie"].split(";")
    }


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "", "127.0.0.1"]
)
@pytest.mark.parametrize("path", ["/", "/api/home"])
def test_another_name_is_not_served(viewer: Viewer, host: str, path: str):
    for port in ("", f":{viewer.port}"):
        if (host, port) != ("127.0.0.1", f":{viewer.port}"):
            answer = viewer.request("GET", path, Host=f"{host}{port}", Cookie=viewer.cookie)
            assert answer.status in (400, 403), host


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_every_name_of_this_machine_is_served(viewer: Viewer, name: str):
    host = f"{name}:{viewer.port}"
    assert viewer.request("GET", "/api/home", Host=host, Cookie=viewer.cookie).status == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1.evil:{port}"]
)
def test_a_foreign_page_can_neither_post_nor_open_a_socket(viewer: Viewer, origin: str):
    origin = origin.format(port=viewer.port)
    answer = viewer.request("POST", "/api/end", "{}", Origin=origin, Cookie=viewer.cookie)
    assert answer.status == 403
    headers = {"Cookie": viewer.cookie}
    address = f"ws://127.0.0.1:{viewer.port}/ws?source=1"
    with (
        pytest.raises(InvalidStatus) as refusal,
        connect(
            address,
            origin=origin,  # type: ignore[arg-type]
            additional_headers=headers,
        ),
    ):
        pass
    assert refusal.value.response.status_code == 403


def test_requests_that_change_state_need_an_origin(viewer: Viewer):
    assert viewer.request("POST", "/api/end", "{}", Cookie=viewer.cookie).status == 403


@pytest.mark.parametrize(
    "path", ["/../security.py", "/..%2fsecurity.py", "/%2e%2e/security.py", "//etc/passwd"]
)
def test_files_next_to_the_page_are_not_served(viewer: Viewer, path: str):
    assert viewer.request("GET", path, Cookie=viewer.cookie).status == 404


@pytest.mark.parametrize("path", ["/etc", "/etc/passwd", "../../..", "missions/../../../etc"])
def test_only_logs_below_the_roots_are_opened(viewer: Viewer, path: str):
    answer = viewer.post("/api/open", logs=[path])
    assert answer.status == 403
    assert "not below the folders" in answer.json["error"]


def test_too_long_a_request_is_refused(viewer: Viewer):
    answer = viewer.request(
        "POST", "/api/open", "x" * (2 << 20), Origin=viewer.base, Cookie=viewer.cookie
    )
    assert answer.status == 400


@pytest.mark.parametrize("text", ["\\ud800", "\\ud800:1", "\\udcff"])
@pytest.mark.parametrize(("path", "key"), [("open", "run"), ("start", "mission")])
def test_half_a_surrogate_pair_is_a_name_like_others(
    viewer: Viewer, path: str, key: str, text: str
):
    body = f'{{"{key}": "{text}"}}'
    answer = viewer.request("POST", f"/api/{path}", body, Origin=viewer.base, Cookie=viewer.cookie)
    assert answer.status == 403
    assert answer.json["error"].startswith(json.loads(f'"{text}"'))


@pytest.mark.parametrize("number", ["0", "-1", "x", "9" * 5000])
def test_a_chart_that_is_not_there_is_not_found(viewer: Viewer, number: str):
    answer = viewer.request("GET", f"/api/source/1/file/{number}", Cookie=viewer.cookie)
    assert answer.status == 404


def test_connections_that_ask_for_nothing_keep_nobody_out(viewer: Viewer):
    begun = f"POST /session HTTP/1.1\r\nHost: 127.0.0.1:{viewer.port}\r\n"
    whole = f"{begun}Origin: {viewer.base}\r\nContent-Length: 99\r\n\r\nx"
    with ExitStack() as stack:
        strangers = []
        for number in range(MOST_CONNECTIONS + 100):
            one = socket.create_connection(("127.0.0.1", viewer.port), timeout=PATIENCE)
            strangers.append(stack.enter_context(one))
            one.sendall((begun, whole, "")[number % 3].encode())
        assert viewer.request("GET", "/").status == 200
        for one in strangers[:100]:
            with suppress(ConnectionResetError):
                assert one.recv(1) == b""  # it was closed


@pytest.mark.parametrize("text", [None, True])  # True: a frame of a text that is no UTF-8
def test_frames_of_bytes_end_the_view_alone(viewer: Viewer, text: bool | None):
    page = viewer.page()
    page.socket.send(b"\0\xff", text=text)
    with pytest.raises(ConnectionClosed):
        page.read_for(PATIENCE)
    assert viewer.request("GET", "/").status == 200
    assert select([viewer.process.stderr], [], [], 0.0)[0] == []


def test_tokens_cannot_be_guessed():
    assert len({Gate(("localhost",), 80).token for _ in range(50)}) == 50
    assert len(Gate(("localhost",), 80).token) >= 32


def test_beyond_this_machine_the_name_is_the_configured_one():
    gate = Gate(names_of("10.0.0.5"), 443, secure=True)
    assert gate.knows_host("10.0.0.5")
    assert gate.knows_host("10.0.0.5:443")
    assert not gate.knows_host("127.0.0.1:443")
    assert gate.knows_origin("https://10.0.0.5")
    assert not gate.knows_origin("http://10.0.0.5")
    assert "Secure" in gate.set_cookie()


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare, as on Linux")
def test_the_viewer_works_with_a_loopback_network_only(tmp_path, finished):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from viewer_stage import stand\n"
        "with stand(Path(sys.argv[2])) as stage:\n"
        "    page = stage.view(sys.argv[3]).page()\n"
        "    page.ask('seek', t=60)\n"
        "    page.wait(lambda page: page.scene and page.scene.rows)\n"
        "    print(page.vessels[0]['name'])\n"
    )
    here = str(ROOT / "tests" / "web" / "viewer")
    command = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c"]
    inside = f'ip link set lo up && exec "{sys.executable}" -c "$0" "$@"'
    result = subprocess.run(
        [*command, inside, program, here, str(tmp_path), str(finished)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    if "unshare" in result.stderr or "ip: not found" in result.stderr:
        pytest.skip("this machine lets nobody make a network of their own")
    assert result.stdout == "alpha\n", result.stderr
