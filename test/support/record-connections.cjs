/**
 * Loaded into a Node process before its program (`--require`, which threads and Node children take over as well): writes
 * down whatever they connect to, send to or look up, one line each. Danger: what native code or another program does is
 * not seen; where it can be had, strace sees that too.
 */
const dgram = require('node:dgram');
const dns = require('node:dns');
const { appendFileSync } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const net = require('node:net');
const process = require('node:process');

const FILE = process.env.RECORDED_CONNECTIONS ?? '';

function record(kind, where) {
  appendFileSync(FILE, `${kind} ${where}\n`);
}

/** Has `method` of `holder` say what it was called with before it is called. */
function before(holder, method, say) {
  const original = holder[method];
  if (typeof original !== 'function') return;
  holder[method] = function recorded(...args) {
    say.apply(this, args);
    return original.apply(this, args);
  };
}

before(net.Socket.prototype, 'connect', function sayAddress(...args) {
  // Node hands its own callers' arguments over in one array.
  const [to] = Array.isArray(args[0]) ? args[0] : args;
  const path = typeof to === 'string' && Number.isNaN(Number(to)) ? to : to?.path;
  if (typeof path === 'string') record('unix', path);
  else this.on('connectionAttempt', (ip, port) => record('ip', `${ip}:${port}`));
});
for (const method of ['send', 'connect']) {
  before(dgram.Socket.prototype, method, (...args) => {
    const address = args.findLast((each, at) => at > 0 && typeof each === 'string');
    const port = args.findLast((each) => typeof each === 'number');
    record('ip', `${address ?? '127.0.0.1'}:${port}`);
  });
}
const lookups = Object.keys(dns).filter((name) => /^(lookup|resolve|reverse)/.test(name));
for (const holder of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
  for (const method of lookups) {
    before(holder, method, (name) => {
      if (net.isIP(String(name)) === 0) record('name', name);
    });
  }
}
syncBuiltinESMExports();
