"""CURVE keys: clients with allowed keys connect, all others are rejected and counted."""

from __future__ import annotations

import math
import stat
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import zmq
from house import TIMEOUT, House, RawClient

from steerageway.bus.__main__ import main
from steerageway.bus.core.errors import ConfigError, NoAnswer, ServerError
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.transport.client import Client
from steerageway.bus.transport.keys import (
    Keys,
    add_client,
    allowed_clients,
    make_server,
    read_keys,
    revoke_client,
)
from steerageway.bus.transport.server_socket import ServerSocket

pytestmark = [pytest.mark.process, pytest.mark.wall]  # real sockets, and timeout

INTERRUPTED_TIMEOUT = 0.4  # wall seconds in which nothing is to come


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_server(tmp_path / "keys")
    return tmp_path / "keys"


@pytest.fixture
def house(folder: Path) -> Iterator[House]:
    with House(RunPlan(("alpha",), (), math.inf, stop_at=10**9), folder) as locked:
        yield locked


def test_a_client_with_keys_comes_in(house: House, folder: Path) -> None:
    with house.visit("laptop", keys=add_client(folder, "laptop")) as client:
        assert client.control("status")["time"] == 0.0
    assert house.server.denied == 0
    assert not [*house.server.refusals()]


def test_a_client_without_keys_gets_nothing_and_is_counted(house: House) -> None:
    with RawClient(house.address) as raw_client:
        raw_client.send("who")
        assert raw_client.next_frame("broker", "error", seconds=INTERRUPTED_TIMEOUT) is None
    assert house.eventually(lambda counts: house.server.denied > 0)
    assert house.server.counts.frames == 0
    (refusal,) = house.server.refusals()
    what = "connections that are no ZeroMQ client's, or have not the right keys"
    assert refusal == f"refused from outside: {what}: {house.server.denied}"


def test_a_revoked_client_gets_nothing_and_is_counted(house: House, folder: Path) -> None:
    path = add_client(folder, "laptop")
    kept = path.rename(folder / "kept.key")
    with house.visit("laptop", keys=kept):
        pass
    revoke_client(folder, "laptop")
    denied = house.server.denied
    with pytest.raises(NoAnswer):
        house.visit("laptop", keys=kept, timeout=INTERRUPTED_TIMEOUT)
    assert house.eventually(lambda counts: house.server.denied > denied)


def test_a_client_that_was_not_added_gets_nothing_and_is_counted(
    house: House, folder: Path, tmp_path: Path
) -> None:
    intruder = add_client(tmp_path / "elsewhere", "intruder")
    ours = read_keys(folder / "server.key")
    text = intruder.read_text().replace(read_keys(intruder).server.decode(), ours.public.decode())
    intruder.write_text(text)
    with pytest.raises(NoAnswer):
        house.visit("intruder", keys=intruder, timeout=INTERRUPTED_TIMEOUT)
    assert house.eventually(lambda counts: house.server.denied > 0)
    assert house.server.counts.frames == 0


def test_a_client_with_the_key_of_another_broker_gets_nothing(
    house: House, folder: Path, tmp_path: Path
) -> None:
    path = add_client(tmp_path / "elsewhere", "laptop")
    with pytest.raises(NoAnswer):
        house.visit("laptop", keys=path, timeout=INTERRUPTED_TIMEOUT)
    assert house.eventually(lambda counts: house.server.denied > 0)


def test_no_client_is_accepted_while_the_keys_cannot_be_read(house: House, folder: Path) -> None:
    path = add_client(folder, "laptop")
    (folder / "allowed" / "broken.pub").write_text("no key at all\n")
    with pytest.raises(NoAnswer):
        house.visit("laptop", keys=path, timeout=INTERRUPTED_TIMEOUT)
    (folder / "allowed" / "broken.pub").unlink()
    with house.visit("laptop", keys=path) as client:
        assert client.control("status")["time"] == 0.0


def test_with_keys_the_broker_listens_beyond_loopback(folder: Path) -> None:
    with zmq.Context() as context:
        server_socket = ServerSocket(context, "0.0.0.0", 0, folder)
        assert server_socket.port is not None
        server_socket.close(0)


def test_with_a_local_socket_keys_are_needed_over_tcp_only(folder: Path) -> None:
    with TemporaryDirectory() as short, zmq.Context() as context:
        server_socket = ServerSocket(context, "127.0.0.1", 0, folder, local=f"ipc://{short}/server")
        with (
            RawClient(f"ipc://{short}/server") as near,
            RawClient(f"tcp://127.0.0.1:{server_socket.port}") as far,
        ):
            near.send("near")
            far.send("far")
            received: list[bytes] = []
            while server_socket.socket.poll((INTERRUPTED_TIMEOUT if received else TIMEOUT) * 1000):
                received.append(server_socket.socket.recv_multipart()[1])
                server_socket.poll()
        assert received == [b"\x91\xa4near"]
        server_socket.close(0)


def test_a_folder_without_keys_is_an_error(tmp_path: Path) -> None:
    expected = r"no keys for the server: .*server\.key"
    with zmq.Context() as context, pytest.raises(ServerError, match=expected):
        ServerSocket(context, "127.0.0.1", 0, tmp_path)


def test_secrets_can_be_read_by_their_owner_only(folder: Path) -> None:
    for path in (folder / "server.key", add_client(folder, "laptop")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_folders_of_keys_are_made_for_their_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there" / "yet"
    make_server(folder)
    for made in (folder, folder / "clients", folder / "allowed"):
        assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_revoking_takes_the_client_s_secret_away_too(folder: Path) -> None:
    path = add_client(folder, "laptop")
    revoke_client(folder, "laptop")
    assert not path.exists()
    assert allowed_clients(folder) == {}


def test_the_public_parts_hold_no_secret(folder: Path) -> None:
    keys = read_keys(add_client(folder, "laptop"))
    text = (folder / "allowed" / "laptop.pub").read_text()
    assert text == f"public {keys.public.decode()}\n"


def test_making_the_broker_s_keys_again_keeps_them(folder: Path) -> None:
    before = (folder / "server.key").read_text()
    make_server(folder)
    assert (folder / "server.key").read_text() == before


@pytest.mark.parametrize("name", ["", "../evil", ".hidden", "a/b"])
def test_a_client_s_name_names_a_file(folder: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="expected a name that can name a file"):
        add_client(folder, name)


def test_a_name_is_given_once_until_it_is_revoked(folder: Path) -> None:
    first = read_keys(add_client(folder, "laptop"))
    with pytest.raises(ConfigError, match="the name is taken; revoke it first"):
        add_client(folder, "laptop")
    revoke_client(folder, "laptop")
    second = read_keys(add_client(folder, "laptop"))
    assert first.public != second.public
    assert allowed_clients(folder) == {second.public: "laptop"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "public"),
        ("public abc\n", r":1: public: expected public, secret or server and 40 characters"),
        ("colour " + "x" * 40 + "\n", r":1: colour: expected public, secret or server"),
        ("public " + "x" * 40 + "\n", "secret: expected, but missing"),
        ("pübl", "cannot be read"),
    ],
)
def test_a_file_that_holds_no_keys_is_an_error(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "wrong.key"
    path.write_text(text)
    with pytest.raises(ConfigError, match=expected):
        read_keys(path)


def test_a_client_without_its_key_file_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.key: cannot be read"):
        Client.connect("tcp://127.0.0.1:1", "laptop", keys=tmp_path / "nowhere.key")


def test_the_command_makes_adds_and_revokes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "keys"
    assert main(["keys", str(folder)]) == 0
    assert main(["keys", str(folder), "--add", "laptop"]) == 0
    assert main(["keys", str(folder), "--add", "boat"]) == 0
    assert list(allowed_clients(folder).values()) == ["boat", "laptop"]
    assert main(["keys", str(folder), "--revoke", "laptop"]) == 0
    assert list(allowed_clients(folder).values()) == ["boat"]
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [f"server={folder}/server.key", "allowed="]
    assert f"added={folder}/clients/laptop.key" in lines
    assert lines[-2:] == ["revoked=laptop", "allowed=boat"]


def test_the_command_names_the_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keys", str(tmp_path), "--revoke", "nobody"]) == 2
    assert "client = nobody: expected one of: none" in capsys.readouterr().err


def test_a_client_s_file_holds_all_it_needs(folder: Path) -> None:
    keys = read_keys(add_client(folder, "laptop"))
    assert keys == Keys(keys.public, keys.secret, read_keys(folder / "server.key").public)
    assert zmq.curve_public(keys.secret) == keys.public
