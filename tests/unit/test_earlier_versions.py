"""What version 0.1.0 saved: results still verify, and searches go on.

The files in tests/data/version-1 were written by that version's command line: kuhn with `--out`
alone, with `--no-exact --prove`, and with `--abstract outcome`; Rhode Island hold'em with 3 ranks,
2 suits and one bet by classes (`--max-nodes 100`); and checkpoints of 40 iterations of dcfr on
kuhn, as it is and with `--abstract equitable`. Results of version 2 are from between the releases:
that in tests/data/version-2 was written by `solve signalling --optimize welfare --out`.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from games.kuhn import kuhn
from seqform import Status, load, solve, verify
from seqform.base.errors import ResultFileError, VerificationError
from seqform.base.whole_folder import checksum
from seqform.cli import app
from seqform.form.sizes import sizes

SAVED = Path(__file__).parents[1] / "data" / "version-1"
BEST = SAVED.with_name("version-2") / "signalling-welfare"


@pytest.mark.parametrize("name", ["kuhn", "kuhn-proven", "kuhn-lifted", "rhode-island-by-classes"])
def test_saved_results_verify(name: str) -> None:
    found = verify(SAVED / name)
    assert found.claims["version"] == 1
    assert found.certificate.record()["nash_gap"] == pytest.approx(found.claims["nash_gap"])
    solution = load(SAVED / name)
    assert solution.status is Status.SOLVED
    assert solution.proof == {"kuhn": "exact", "kuhn-proven": "bracketed"}.get(name)


@pytest.mark.parametrize("name", ["kuhn", "rhode-island-by-classes"])
@pytest.mark.parametrize("version", [1, 2])
def test_their_sizes_of_programs_are_the_solvers(tmp_path: Path, name: str, version: int) -> None:
    folder = Path(shutil.copytree(SAVED / name, tmp_path / "result"))
    claims = json.loads((folder / "result.json").read_text()) | {"version": version}
    claims |= {"concept": "nash", "tolerance": 1.0, "values": [claims["value"], -claims["value"]]}
    claims["sizes"] |= {"lp_rows": 2, "lp_columns": 3, "lp_nonzeros": 4}
    claims["gains"] = list(verify(SAVED / name).certificate.record()["gains"])
    claims = {key: claims[key] for key in claims if key != "checksum"}
    (folder / "result.json").write_text(json.dumps(claims))
    found = load(folder)
    assert [found.sizes[f"solver_{of}"] for of in ("rows", "columns", "nonzeros")] == [2, 3, 4]
    assert found.sizes.items() >= sizes(found.game).items()
    assert found.sizes["lp_rows"] == {"kuhn": 20}.get(name, 7058)


@pytest.mark.parametrize("key", ["value", "lower", "upper", "nash_gap", "exploitability"])
def test_their_false_claims_are_refused(tmp_path: Path, key: str) -> None:
    folder = Path(shutil.copytree(SAVED / "kuhn", tmp_path / "result"))
    claims = json.loads((folder / "result.json").read_text())
    for changed in (
        {**claims, key: claims[key] + 1e-9},
        {k: claims[k] for k in claims if k != key},
    ):
        (folder / "result.json").write_text(json.dumps(changed))
        with pytest.raises(
            VerificationError, match=key if key in changed else "no solution|claims"
        ):
            verify(folder)


def test_their_best_equilibria_are_the_best_found() -> None:
    claims = json.loads((BEST / "result.json").read_text())
    assert (claims["version"], claims["status"]) == (2, "solved")
    solution = load(BEST)
    assert solution.status is Status.BEST_FOUND
    assert solution.optimum is not None
    assert (solution.optimum.value, solution.optimum.proven) == (6, None)


def test_their_best_equilibria_are_shown(tmp_path: Path) -> None:
    for command in (["verify"], ["report", "-o", str(tmp_path / "report.html")]):
        done = CliRunner().invoke(app, [*command, str(BEST)])
        assert done.exit_code == 0, done.output
    done = CliRunner().invoke(app, ["show", str(BEST)])
    assert "signal 0" in done.output
    assert "BEST_FOUND" in done.output


def test_such_a_claim_of_this_version_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "result"
    load(BEST).save(folder)
    assert load(folder).status is Status.BEST_FOUND
    claims = json.loads((folder / "result.json").read_text()) | {"status": "solved"}
    assert claims["version"] == 3
    (folder / "result.json").write_text(json.dumps(claims | {"checksum": checksum(claims)}))
    with pytest.raises(VerificationError, match="no equilibrium is better"):
        verify(folder)


@pytest.mark.parametrize(
    ("name", "abstract", "engine"),
    [("kuhn-dcfr", "auto", "dcfr/treeplex"), ("kuhn-dcfr-equitable", "equitable", "dcfr/signal")],
)
def test_searches_go_on(tmp_path: Path, name: str, abstract: str, engine: str) -> None:
    path = Path(shutil.copy(SAVED / f"{name}.npz", tmp_path / "search.npz"))
    options = {"method": "dcfr", "gap": 1e-13, "abstract": abstract}
    resumed = solve(kuhn(), iterations=60, checkpoint=path, resume=True, **options)
    assert (resumed.iterations, resumed.method) == (60, engine)
    with pytest.raises(ResultFileError, match="another game"):
        solve(kuhn(4), iterations=60, checkpoint=path, resume=True, **options)
