"""A check of this vault: every contract says when it ends, or why it does not."""

import argparse
import json
import pathlib
import sys

SELF = {
    "schema": 2,
    "check": "contracts",
    "title": "Contracts",
    "description": "Notes of the type contract that do not say when they expire.",
    "order": 35,
}


def keys_of(note):
    """The top-level keys of a note's frontmatter, with what stands behind them on their line."""
    lines = note.read_text("utf-8", "replace").splitlines()
    if not lines or lines[0] != "---" or "---" not in lines[1:]:
        return {}
    block = lines[1 : lines.index("---", 1)]
    pairs = [line.partition(":") for line in block if line[:1].isalpha()]
    return {key: value.strip() for key, _, value in pairs}


def findings_in(vault):
    for note in sorted(vault.rglob("*.md")):
        path = note.relative_to(vault).as_posix()
        if path.startswith(".") or "/." in path:
            continue
        keys = keys_of(note)
        if keys.get("type") == "contract" and "expires" not in keys:
            yield {
                "id": f"no-end:{path}",
                "code": "contract_without_end",
                "severity": "warning",
                "path": path,
                "line": 1,
                "message": "This contract does not say when it ends.",
                "fix": "Write expires, or expires: none with an expires_reason.",
            }


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--vault-path", type=pathlib.Path, default=pathlib.Path("."))
    arguments.add_argument("--describe", action="store_true")
    arguments.add_argument("--json", action="store_true")
    asked = arguments.parse_args()
    if asked.describe:
        print(json.dumps(SELF))
        return 0
    findings = list(findings_in(asked.vault_path))
    print(json.dumps({**SELF, "findings": findings}))
    return 1 if any(each["severity"] == "error" for each in findings) else 0


if __name__ == "__main__":
    sys.exit(main())
