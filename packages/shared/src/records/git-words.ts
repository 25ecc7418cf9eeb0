/**
 * What git says, in words that a caller may read, and names in words that git reads. Pure. Danger: its messages name folders
 * of this machine, which are no caller's business; and a name that holds git's own marks would be another author.
 */

export interface Person {
  readonly name: string;
  readonly email: string;
}

/** Who commits in the name of others. */
export const COMMITTER: Person = { name: 'vault-mcp', email: 'vault-mcp@vault-mcp.invalid' };

/** Who changed what was changed before, where the repository knows no user: no agent did. */
export const OWNER: Person = { name: 'owner', email: 'owner@localhost' };

const MAX_REASON = 300;
const MAX_NAME = 100;

/** The first line of a failure, without absolute paths. */
export function reasonFrom(said: string): string {
  const first = said.split('\n').find((line) => line.trim() !== '') ?? '';
  const plain = first
    .replace(/^(?:fatal|error):\s*/i, '')
    .replace(/(?<![^\s'"(=])(?:[A-Za-z]:)?\/[^\s'":]*/g, (path) => `…/${path.slice(path.lastIndexOf('/') + 1)}`)
    .trim();
  return plain === '' ? 'git failed and did not say why' : plain.slice(0, MAX_REASON);
}

/** Whether it failed because another git is at work: that passes. */
export function isHeldUp(said: string): boolean {
  return /\.lock['"]?: File exists|cannot lock ref/.test(said);
}

/** An agent as an author. */
export function personOf(agent: string): Person {
  const name = agent
    .replace(/[<>\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);
  const local = agent.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, MAX_NAME);
  return { name: name || 'agent', email: `${local || 'agent'}@vault-mcp.invalid` };
}

export function written({ name, email }: Person): string {
  return `${name} <${email}>`;
}
