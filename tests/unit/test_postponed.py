"""Parts of NumPy that the command line leaves unloaded: there for whoever asks for them."""

from __future__ import annotations

import subprocess
import sys

import pytest

POSTPONED = ("f2py", "testing", "ma", "polynomial", "char", "ctypeslib")

FOUND = "import sys; from seqform.base.postponed import BriefNamespace as Brief"
SPARSE = f"{FOUND}; sys.meta_path.insert(0, Brief()); import scipy.sparse, numpy as np"
COPY = "from scipy._lib.array_api_compat import numpy as copy"


def printed(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_solving_a_small_game_loads_none_of_them() -> None:
    run = "import atexit, sys; sys.argv[1:] = ['solve', 'kuhn', '--json']"
    show = (
        f"atexit.register(lambda: print([p for p in {POSTPONED} if f'numpy.{{p}}' in sys.modules]))"
    )
    assert printed(f"{run}; {show}; from seqform.cli import main; main()").endswith("}\n[]")


@pytest.mark.parametrize("part", POSTPONED)
def test_the_copy_has_them_when_they_are_asked_for(part: str) -> None:
    before = f"print('numpy.{part}' in sys.modules)"
    after = f"print(copy.{part} is np.{part} is sys.modules['numpy.{part}'])"
    assert printed(f"{SPARSE}; {COPY}; {before}; {after}") == "False\nTrue"


def test_numpy_itself_is_as_it_was() -> None:
    show = "print(*np.__all__, *dir(np), *np.__numpy_submodules__)"
    plain = printed(f"import numpy as np; import scipy.sparse; {show}").split()
    brief = printed(f"{SPARSE}; {show}").split()
    assert sorted(brief) == sorted(plain)


def test_the_copy_has_every_name_of_numpy() -> None:
    show = "print(*[n for n in dir(np) if n[0] != '_' and not hasattr(copy, n)])"
    assert printed(f"{SPARSE}; {COPY}; {show}") == ""
    assert printed(f"{SPARSE}; {COPY}; print(hasattr(copy, 'nonsense'))") == "False"


def test_numpy_is_as_it_was_if_scipy_cannot_be_loaded() -> None:
    code = """
import numpy as np
from seqform.base.postponed import _only_what_is_loaded
names, parts = np.__all__, np.__numpy_submodules__
try:
    with _only_what_is_loaded(np):
        assert "testing" not in np.__all__ and "testing" not in dir(np)
        raise ImportError
except ImportError:
    print(np.__all__ is names and np.__numpy_submodules__ is parts)
"""
    assert printed(code) == "True"
