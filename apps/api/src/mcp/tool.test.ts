import { AppError } from '@vault-mcp/shared/errors';
import { createLogger } from '@vault-mcp/shared/log';
import { type AuditedCall, argumentsDigest } from '@vault-mcp/shared/records/audit';
import { EVERYTHING } from '@vault-mcp/shared/vault/access';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMetrics } from '../metrics.ts';
import type { CallDeps } from './counted-call.ts';
import { defineTool, READ_ONLY } from './tool.ts';

/** A tool that runs `run`, called as the operator, with the log and the metrics that it leaves. */
function toolThat(run: (input: { word: string }) => Promise<string>) {
  const lines: string[] = [];
  const log = createLogger({ name: 'test', level: 'info', destination: { write: (line: string) => lines.push(line) } });
  const metrics = createMetrics();
  const rows: AuditedCall[] = [];
  const audit = { append: (row: AuditedCall) => void rows.push(row) };
  const deps = {
    context: { log, audit, vault: { access: EVERYTHING } },
    metrics,
    isOperator: true,
  } as unknown as CallDeps;
  const tool = defineTool({
    ...{ audience: 'agents', act: 'read' },
    name: 'echo',
    operation: 'say-word',
    title: 'Echo',
    description: 'Says a word.',
    hints: READ_ONLY,
    input: z.strictObject({ word: z.string() }),
    output: z.object({ word: z.string() }),
    run: async (_deps, input) => ({ text: await run(input), structured: { word: input.word } }),
  });
  const call = (args: unknown) => tool.call(deps, args, { agent: 'operator' });
  const exposition = async () =>
    (
      await metrics.render({
        status: 'ready',
        index: { notes: 0, documents: 0, quarantined: 0, chunks: 0, embedded: 0, pending: 0, failed: 0 },
        queue: {},
        extraction: { pending: 0, needs_ocr: 0, failed: 0, reading: [] },
        embedding: null,
      })
    ).body;
  return { call, lines, rows, exposition };
}

describe('a tool call', () => {
  it('answers structure and text', async () => {
    const { call } = toolThat(async ({ word }) => `said ${word}`);
    expect(await call({ word: 'hello' })).toEqual({
      content: [{ type: 'text', text: 'said hello' }],
      structuredContent: { word: 'hello' },
    });
  });

  it('answers a domain error as a tool error with code and full message', async () => {
    const { call, lines } = toolThat(async () => {
      throw new AppError('not_found', 'There is no such note; list the folder.', { cause: new Error('/abs/path') });
    });
    expect(await call({ word: 'x' })).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'not_found: There is no such note; list the folder.' }],
      _meta: { 'vault-mcp/code': 'not_found' },
    });
    expect(lines).toEqual([]);
  });

  it('hides what is no domain error, and logs it', async () => {
    const { call, lines } = toolThat(async () => {
      throw new Error('SQLITE_IOERR /home/me/index.db');
    });
    const answer = await call({ word: 'x' });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer)).not.toMatch(/SQLITE|home/);
    expect(lines.join()).toContain('SQLITE_IOERR');
  });

  it.each([[{ word: 1 }], [{}], [{ word: 'a', extra: 1 }], [null], ['text'], [[]]])(
    'refuses arguments that do not fit, in prose: %j',
    async (args) => {
      const { call } = toolThat(async () => 'never');
      const answer = await call(args);
      expect(answer).toMatchObject({ isError: true, _meta: { 'vault-mcp/code': 'invalid_request' } });
      expect(JSON.stringify(answer.content)).toContain('word');
    },
  );

  it('leaves one row in the audit log, with a digest in place of its arguments', async () => {
    const { call, rows } = toolThat(async () => 'fine');
    await call({ word: 'secret' });
    await call({ word: 1 });
    const common = { surface: 'mcp', operation: 'say-word', agent: 'operator', timeMs: expect.any(Number) };
    expect(rows).toEqual([
      { ...common, argsDigest: argumentsDigest({ word: 'secret' }), outcome: 'ok', durationMs: expect.any(Number) },
      {
        ...common,
        argsDigest: argumentsDigest({ word: 1 }),
        outcome: 'invalid_request',
        durationMs: expect.any(Number),
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });

  it('is counted by tool and outcome', async () => {
    const { call, exposition } = toolThat(async () => 'fine');
    await call({ word: 'a' });
    await call({});
    const body = await exposition();
    expect(body).toContain('vault_mcp_tool_duration_seconds_count{tool="echo",outcome="ok"} 1');
    expect(body).toContain('vault_mcp_errors_total{surface="mcp",code="invalid_request"} 1');
  });
});
