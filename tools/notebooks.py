"""Run the tutorials, and keep what comes out: `python -m tools.notebooks`.

Outputs are kept, for those who read a notebook without running it; what differs from run to run is
not. One kernel runs all of them, which is what the tests do too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.ipynb"))
SECONDS = 120


def read(path: Path) -> Any:
    """Return a notebook."""
    return nbformat.read(path, as_version=4)


def run(paths: list[Path]) -> dict[Path, Any]:
    """Return notebooks as they come out of one kernel, one after the other.

    Raises
    ------
    CellExecutionError
        If a cell fails.
    """
    notebooks = {path: read(path) for path in paths}
    together = nbformat.v4.new_notebook(metadata=notebooks[paths[0]].metadata)
    together.cells = [cell for notebook in notebooks.values() for cell in notebook.cells]
    for number, cell in enumerate(together.cells):
        cell["id"] = f"cell-{number}"
    place = {"metadata": {"path": str(ROOT)}}
    NotebookClient(together, timeout=SECONDS, kernel_name="python3", resources=place).execute()
    return notebooks


def clean(notebook: Any) -> None:
    """Leave out of a notebook what differs from run to run."""
    for number, cell in enumerate(notebook.cells):
        cell["id"], cell["metadata"] = f"cell-{number}", {}
        if cell.cell_type == "code":
            cell["execution_count"] = None
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output["execution_count"] = None


def said(cell: Any) -> str:
    """Return what a cell prints and returns, as text."""
    texts = [
        output.text if output.output_type == "stream" else output.data.get("text/plain", "")
        for output in cell.get("outputs", [])
    ]
    return "".join(map(str, texts))


def main() -> None:
    """Run all tutorials and write them."""
    for path, notebook in run(TUTORIALS).items():
        clean(notebook)
        nbformat.write(notebook, path)
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
