import { hostname } from 'node:os';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../../test/support/free-port.ts';
import { type RedisServer, startRedisServer } from '../../../../test/support/redis-server.ts';
import { createLogger } from '../log.ts';
import { type LeaseOptions, takeWriterLease, type WriterLease, WriterLeasedError } from './writer-lease.ts';

const WAIT = { timeout: 30_000, interval: 20 };
const LEASE_MS = 1_500;

let server: RedisServer;
let client: Redis;
const leases: WriterLease[] = [];
let prefixes = 0;
let prefix = '';

beforeAll(async () => {
  server = await startRedisServer();
  client = new Redis(server.url);
  client.on('error', () => {});
});
afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.release();
});
afterAll(async () => {
  client?.disconnect();
  await server?.stop();
});

interface Taken {
  readonly lease: WriterLease;
  readonly lost: WriterLeasedError[];
  readonly log: () => string;
}

async function take(options: Partial<LeaseOptions> = {}): Promise<Taken> {
  const lost: WriterLeasedError[] = [];
  let text = '';
  const destination = {
    write: (line: string) => {
      text += line;
    },
  };
  const lease = await takeWriterLease({
    redisUrl: server.url,
    prefix,
    folder: 'here',
    log: createLogger({ name: 'test', destination }),
    onLost: (error) => lost.push(error),
    leaseMs: LEASE_MS,
    ...options,
  });
  leases.push(lease);
  return { lease, lost, log: () => text };
}

const holder = (folder: string) =>
  JSON.stringify({ host: 'elsewhere', pid: 7, since: '2026-01-02T03:04:05.000Z', folder, token: 'another' });
const held = () => client.get(`${prefix}:writer`);

function fresh(): void {
  prefix = `vault-${++prefixes}`;
}

describe("the writer's lease", () => {
  it('refuses a second process while the first renews it, and names the first', async () => {
    fresh();
    await take();
    await expect(take({ folder: 'there' })).rejects.toThrow(WriterLeasedError);
    await expect(take({ folder: 'there' })).rejects.toThrow(`process ${process.pid} on ${hostname()}, since 20`);
    expect(JSON.parse((await held()) ?? '')).toMatchObject({ folder: 'here' });
  });

  it('is taken at once when it was freed, and is kept for longer than it lasts', async () => {
    fresh();
    const first = await take();
    await first.lease.release();
    await first.lease.release();
    expect(await held()).toBeNull();
    const second = await take({ folder: 'there' });
    expect(second.log()).toBe('');
    const value = await held();
    await new Promise((resolve) => setTimeout(resolve, 1.5 * LEASE_MS));
    expect(await held()).toBe(value);
  });

  it('is waited for when its holder, on another machine, does not renew it any more', async () => {
    fresh();
    await client.set(`${prefix}:writer`, holder('there'), 'PX', 1_000);
    const { log } = await take();
    expect(log()).toContain('elsewhere');
    expect(JSON.parse((await held()) ?? '')).toMatchObject({ folder: 'here' });
  });

  it('is taken over at once from a process that ended in the same data folder', async () => {
    fresh();
    await client.set(`${prefix}:writer`, holder('here'), 'PX', 3_600_000);
    const { log } = await take();
    expect(log()).toContain('taking over');
    expect(JSON.parse((await held()) ?? '')).toMatchObject({ host: hostname() });
  });

  it('is refused when what stands there never runs out, whatever it is', async () => {
    fresh();
    await client.set(`${prefix}:writer`, 'not a lease');
    await expect(take()).rejects.toThrow('another process');
  });

  it('is of one vault: another prefix is another lease', async () => {
    fresh();
    await take();
    fresh();
    await expect(take({ folder: 'there' })).resolves.toBeDefined();
  });

  it('is taken again when Redis has lost it', async () => {
    fresh();
    const { lost } = await take();
    await client.del(`${prefix}:writer`);
    await vi.waitFor(async () => expect(await held()).not.toBeNull(), WAIT);
    expect(lost).toEqual([]);
  });

  it('is given up, once, when somebody else has it and renews it', async () => {
    fresh();
    const { lost } = await take();
    const rival = setInterval(() => void client.set(`${prefix}:writer`, holder('there'), 'PX', 60_000), 100);
    try {
      await vi.waitFor(() => expect(lost).toHaveLength(1), WAIT);
      expect(lost[0]?.message).toContain('process 7 on elsewhere, since 2026-01-02');
      await new Promise((resolve) => setTimeout(resolve, LEASE_MS));
      expect(lost).toHaveLength(1);
    } finally {
      clearInterval(rival);
    }
  });

  it('is given up even to a process with the same name of a data folder, so that copies do not take turns', async () => {
    fresh();
    const { lost } = await take();
    const rival = setInterval(() => void client.set(`${prefix}:writer`, holder('here'), 'PX', 60_000), 100);
    try {
      await vi.waitFor(() => expect(lost).toHaveLength(1), WAIT);
    } finally {
      clearInterval(rival);
    }
  });

  it('does not keep a process from starting while Redis is away, and is taken when Redis comes', async () => {
    fresh();
    const own = await startRedisServer();
    try {
      await own.kill();
      const { log, lost, lease } = await take({ redisUrl: own.url });
      expect(log()).toContain('Redis is away');
      await own.restart();
      await vi.waitFor(() => expect(log()).toContain('holding the writer’s lease'), WAIT);
      await own.kill();
      await own.restart();
      await vi.waitFor(async () => {
        const looking = new Redis(own.url);
        expect(await looking.get(`${prefix}:writer`)).not.toBeNull();
        looking.disconnect();
      }, WAIT);
      expect(lost).toEqual([]);
      await lease.release();
    } finally {
      await own.stop();
    }
  });

  it('can be freed while Redis is away', async () => {
    fresh();
    const { lease } = await take({ redisUrl: `redis://127.0.0.1:${await freePort()}` });
    await expect(lease.release()).resolves.toBeUndefined();
  });
});
