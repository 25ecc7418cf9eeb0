/** Programs that check a vault, as tests put them into `.scripts`. */

/** A check in python that says what it is, and then runs these lines with `findings` to print. */
export const checkOf = (name: string, lines: readonly string[] = [], self: object = {}) =>
  [
    'import json, os, sys, time',
    `self = ${JSON.stringify({ schema: 2, check: name, title: `Check ${name}`, description: '', order: 10, ...self })}`,
    'if "--describe" in sys.argv:',
    '    print(json.dumps(self))',
    '    sys.exit(0)',
    'findings = []',
    'def found(id, severity="warning", **more):',
    '    findings.append({"id": id, "code": "found", "severity": severity, "message": "Found " + id, **more})',
    ...lines,
    'print(json.dumps({**self, "findings": findings}))',
    'sys.exit(1 if any(each["severity"] == "error" for each in findings) else 0)',
  ].join('\n');
