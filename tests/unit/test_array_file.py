"""Files of arrays: what goes in comes out, and nothing but what went in."""

from __future__ import annotations

import os
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seqform.base.array_file import read_arrays, write_arrays
from seqform.base.errors import ResultFileError

KIND, VERSION = "test-arrays", 3
HEADER = {"name": "Kühn", "gap": 1 / 3, "counts": [1, 2], "none": None, "far": float("inf")}
ARRAYS: dict[str, Any] = {
    "double": np.array([[0.1, -0.0], [np.inf, np.nan]]),
    "single": np.array([1 / 3, 1e-45], dtype=np.float32),
    "small": np.arange(-3, 3, dtype=np.int8),
    "large": np.array([2**62, -(2**62)]),
    "flags": np.array([True, False]),
    "number": np.array(2.5),
    "none": np.zeros(0, dtype=np.int32),
    "no.rows": np.zeros((0, 3), dtype=np.float32),
    "columns": np.asfortranarray(np.arange(6).reshape(2, 3)),
    "every.second": np.arange(10.0)[::2],
    "swapped": np.arange(3, dtype=">i4"),
}


def same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    contents = [
        {name: (array.dtype, array.shape, array.tobytes()) for name, array in arrays.items()}
        for arrays in (a, b)
    ]
    return contents[0] == contents[1]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_arrays(tmp_path / "a.npz", KIND, VERSION, HEADER, ARRAYS)
    return tmp_path / "a.npz"


@pytest.mark.parametrize("compress", [True, False])
def test_what_is_written_is_read(tmp_path: Path, compress: bool) -> None:
    path = tmp_path / "a.npz"
    write_arrays(path, KIND, VERSION, HEADER, ARRAYS, compress)
    head, arrays = read_arrays(path, KIND, VERSION)
    assert {key: head[key] for key in HEADER} == HEADER
    assert same(arrays, ARRAYS)
    assert [p.name for p in tmp_path.iterdir()] == ["a.npz"]
    write_arrays(path, KIND, VERSION, {}, {}, compress)
    assert read_arrays(path, KIND, VERSION)[1] == {}


@pytest.mark.parametrize(("compress", "bits"), [(True, 0xFF), (False, 0x01)])
def test_an_altered_byte_is_refused_unless_it_carries_nothing(
    tmp_path: Path, compress: bool, bits: int
) -> None:
    path = tmp_path / "a.npz"
    arrays = {name: ARRAYS[name] for name in ("double", "single", "number")}
    write_arrays(path, KIND, VERSION, HEADER, arrays, compress)
    head = read_arrays(path, KIND, VERSION)[0]
    content, refused = path.read_bytes(), 0
    for position, byte in enumerate(content):
        path.write_bytes(content[:position] + bytes([byte ^ bits]) + content[position + 1 :])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                found = read_arrays(path, KIND, VERSION)
            except ResultFileError:
                refused += 1
                continue
        assert found[0] == head  # a time stamp or the like
        assert same(found[1], arrays)
    assert refused > len(content) / 2


@pytest.mark.parametrize("value", range(100))
def test_another_method_of_compression_is_refused(tmp_path: Path, value: int) -> None:
    path = tmp_path / "a.npz"
    write_arrays(path, KIND, VERSION, HEADER, {"single": ARRAYS["single"]})
    content = path.read_bytes()
    at = content.index(b"PK\x01\x02") + 10
    assert content[at] == zipfile.ZIP_DEFLATED
    path.write_bytes(content[:at] + bytes([value]) + content[at + 1 :])
    if value != zipfile.ZIP_DEFLATED:
        with pytest.raises(ResultFileError):
            read_arrays(path, KIND, VERSION)


def test_content_that_lzma_refuses_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.npy", b"\x00\x00\x05\x00" + b"\xff" * 20)
    content = path.read_bytes()
    for at in (content.index(b"PK\x03\x04") + 8, content.index(b"PK\x01\x02") + 10):
        content = content[:at] + bytes([zipfile.ZIP_LZMA]) + content[at + 1 :]
    path.write_bytes(content)
    with pytest.raises(ResultFileError, match="damaged"):
        read_arrays(path, KIND, VERSION)


def rewrite(path: Path, **changed: Any) -> None:
    with np.load(path) as data:
        content = {name: data[name] for name in data.files}
    np.savez(path, **content | changed)


def test_a_whole_archive_with_other_content_is_refused(path: Path) -> None:
    content = path.read_bytes()
    with np.load(path) as data:
        header = bytes(data["header"])
    for changed in (
        {"single": np.array([1 / 3, 0], dtype=np.float32)},
        {"single": ARRAYS["single"].astype(np.float64)},
        {"columns": ARRAYS["columns"].reshape(3, 2)},
        {"more": np.zeros(1)},
        {"header": np.frombuffer(header.replace(b"[1, 2]", b"[1, 3]"), dtype=np.uint8)},
    ):
        rewrite(path, **changed)
        with pytest.raises(ResultFileError, match="altered"):
            read_arrays(path, KIND, VERSION)
        path.write_bytes(content)
    rewrite(path)  # packed otherwise, and nothing changed
    assert same(read_arrays(path, KIND, VERSION)[1], ARRAYS)


def test_a_truncated_file_is_refused(path: Path) -> None:
    content = path.read_bytes()
    for length in range(0, len(content), 7):
        path.write_bytes(content[:length])
        with pytest.raises(ResultFileError, match=r"damaged or is not a test-arrays file"):
            read_arrays(path, KIND, VERSION)


def test_another_kind_or_version_is_refused_by_name(path: Path) -> None:
    with pytest.raises(
        ResultFileError, match="'test-arrays' version 3; this program reads other 3"
    ):
        read_arrays(path, "other", VERSION)
    with pytest.raises(
        ResultFileError, match="'test-arrays' version 3; this program reads test-arrays 4"
    ):
        read_arrays(path, KIND, VERSION + 1)


def as_bytes(text: str) -> Any:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def foreign(path: Path, how: str) -> None:
    if how == "npz":
        np.savez(path, a=np.zeros(3))
    elif how == "npy":
        with path.open("wb") as file:
            np.save(file, np.zeros(3))
    elif how == "pickle":
        np.savez(path, header=np.array([{"a": 1}], dtype=object))
    elif how == "text":
        path.write_text("player,infoset,action\n")
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("header", "{}")
    elif how == "folder":
        path.mkdir()
    else:
        np.savez(path, header=as_bytes(how))


@pytest.mark.parametrize(
    "how",
    [
        "npz",
        "npy",
        "pickle",
        "text",
        "empty",
        "zip",
        "folder",
        "{",
        "[1]",
        "3",
        "{}",
        '{"format": "test-arrays"}',
    ],
)
def test_a_foreign_file_is_refused(tmp_path: Path, how: str) -> None:
    foreign(tmp_path / "a.npz", how)
    with pytest.raises(ResultFileError, match=r"a\.npz"):
        read_arrays(tmp_path / "a.npz", KIND, VERSION)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultFileError, match=r"none\.npz does not exist"):
        read_arrays(tmp_path / "none.npz", KIND, VERSION)


@pytest.mark.parametrize("compress", [True, False])
@pytest.mark.parametrize("where", ["save", "fsync"])
def test_an_interrupted_write_leaves_the_old_file_whole(
    monkeypatch: pytest.MonkeyPatch, path: Path, compress: bool, where: str
) -> None:
    def save(file: Any, *_: Any, **__: Any) -> None:
        file.write(b"half of it")
        raise KeyboardInterrupt

    def fsync(_: int) -> None:
        raise OSError(28, "No space left on device")

    if where == "save":
        monkeypatch.setattr(np.lib.format, "write_array", save)
    else:
        monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises((KeyboardInterrupt, OSError)):
        write_arrays(path, KIND, VERSION, {}, {"new": np.zeros(1)}, compress)
    assert same(read_arrays(path, KIND, VERSION)[1], ARRAYS)
    monkeypatch.undo()
    write_arrays(path, KIND, VERSION, {}, {"new": np.zeros(1)}, compress)
    assert read_arrays(path, KIND, VERSION)[1].keys() == {"new"}
