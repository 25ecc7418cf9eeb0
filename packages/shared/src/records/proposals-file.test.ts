import { readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { proposalSuite, proposed } from '../../../../test/support/proposal-suite.ts';
import { connectToProposals } from './proposals.ts';
import { RecordOpenError } from './record-open-error.ts';

const BY = { agent: 'claude', candidateHash: 'h1' };

const on = proposalSuite();

function damage(id: string): void {
  const db = new Database(on.path);
  db.prepare(`UPDATE proposal SET request = '{"half' WHERE id = ?`).run(id);
  db.close();
}

describe('a damaged row', () => {
  it('is kept, counted and told to nobody as something to work on', () => {
    const damaged = on.begun();
    damage(damaged);
    const { id: openId, token } = on.offered();
    damage(openId);
    on.offered();
    on.begun();
    expect(on.store.counts()).toEqual({ open: 1, unsettled: 1, damaged: 2 });
    expect(on.store.unsettled()).toHaveLength(1);
    expect(on.store.get(damaged)).toBeNull();
    expect(() => on.store.claim(token, BY)).toThrow(/send the candidate again without a token/);
    const db = new Database(on.path, { readonly: true });
    expect(db.prepare('SELECT count(*) FROM proposal').pluck().get()).toBe(4);
    db.close();
  });

  it('of which a part is missing that its state needs is one too', () => {
    const id = on.begun();
    const db = new Database(on.path);
    db.prepare("UPDATE proposal SET state = 'writing' WHERE id = ?").run(id);
    db.close();
    expect(on.store.counts()).toEqual({ open: 0, unsettled: 0, damaged: 1 });
  });
});

describe('memory.db', () => {
  it('brings each change to the disk, waits for other programs, and is closed to others', () => {
    const db = connectToProposals(on.path);
    const asked = (name: string) => db.pragma(name, { simple: true });
    // 2 is FULL.
    expect(asked('synchronous')).toBe(2);
    expect(asked('secure_delete')).toBe(1);
    expect(asked('busy_timeout')).toBe(5000);
    db.close();
    on.begun();
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(on.path + suffix).mode & 0o777).toBe(0o600);
  });

  it('keeps nothing of the text once it is answered', () => {
    const id = on.begun({ request: { body: 'a secret of the house '.repeat(500) } });
    on.store.plan(id, { v: 1, text: 'a secret of the house' });
    const other = on.open('other');
    other.close();
    on.store.close();
    expect(readFileSync(on.path, 'latin1')).toContain('a secret of the house');
    on.store = on.open('us');
    on.store.finish(id, { status: 'done' });
    on.store.close();
    expect(readFileSync(on.path, 'latin1')).not.toContain('a secret of the house');
  });

  it('of a newer version is refused and left alone', () => {
    const id = on.begun();
    on.store.close();
    const db = new Database(on.path);
    db.pragma('user_version = 9');
    db.close();
    expect(() => on.open('us')).toThrow(RecordOpenError);
    const again = new Database(on.path);
    expect(again.prepare('SELECT id FROM proposal').pluck().get()).toBe(id);
    again.close();
  });

  it('that another program keeps for too long refuses, and nothing has changed', () => {
    const impatient = on.open('them', { waitMs: 0 });
    const other = new Database(on.path);
    other.exec('BEGIN IMMEDIATE');
    expect(() => impatient.begin(proposed())).toThrow(expect.objectContaining({ code: 'locked' }));
    other.close();
    expect(impatient.counts()).toEqual({ open: 0, unsettled: 0, damaged: 0 });
  });
});
