import { expect, it } from 'vitest';
import { isLoopbackHost } from './loopback.ts';

it.each(['localhost', 'LOCALHOST', 'vault.localhost', '127.0.0.1', '127.8.9.10', '::1', '[::1]'])(
  '%s is this machine',
  (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  },
);

it.each(['0.0.0.0', '::', '[::]', '192.168.1.2', '127.0.0.1.example.com', 'localhost.example.com', '1270.0.0.1', ''])(
  '%s is not only this machine',
  (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  },
);
