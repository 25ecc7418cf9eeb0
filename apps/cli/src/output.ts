/**
 * What commands say: answers on standard output, everything else on standard error. Danger: `vault-mcp mcp` speaks its
 * protocol on standard output, so nothing there may ever print through `answer`. What is quoted from a vault may hold
 * commands to a terminal, so texts go out with those made visible.
 */
import { forTerminal } from '@vault-mcp/api/rendering/one-line';

/** The answer of a command: text for people, or its JSON form. */
export function answer(json: boolean | undefined, value: unknown, text: () => string): void {
  process.stdout.write(json === true ? `${JSON.stringify(value)}\n` : ensureNewline(forTerminal(text())));
}

/** A remark beside the answer. */
export function remark(line: string): void {
  process.stderr.write(`${forTerminal(line)}\n`);
}

function ensureNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** `1 note`, `2 notes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
