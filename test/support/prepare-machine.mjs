/**
 * Runs before the tests: sees to the programs they drive for real. On Debian as root what is missing is installed;
 * anywhere else it is named, with how to get it. Without a program that many tests need the run ends here rather than in
 * a hundred failing tests; without one that a single test needs, that test is skipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';

/**
 * @typedef {{ name: string, found: () => boolean, packages: string[], elsewhere: string, without?: string }} Need
 * `without`: what is skipped when it is missing; left out, nothing runs without it.
 */

/** Whether a program can be run and what it prints matches. */
function answers(command, args, expected) {
  const run = spawnSync(command, args, { encoding: 'utf8', timeout: 20_000 });
  // tesseract lists its languages on standard error in some versions.
  return run.error === undefined && run.status === 0 && expected.test(`${run.stdout}\n${run.stderr}`);
}

/** @type {Need[]} */
const NEEDS = [
  {
    name: 'redis-server',
    found: () => answers('redis-server', ['--version'], /v=\d+/),
    packages: ['redis-server'],
    elsewhere: 'macOS: brew install redis',
  },
  {
    name: 'tesseract with English (eng)',
    found: () => answers('tesseract', ['--list-langs'], /^eng$/m),
    packages: ['tesseract-ocr', 'tesseract-ocr-eng'],
    elsewhere: 'macOS: brew install tesseract',
  },
  {
    name: 'nginx',
    found: () => answers('nginx', ['-v'], /nginx/) && answers('openssl', ['version'], /SSL/),
    packages: ['nginx-light', 'openssl'],
    elsewhere: 'macOS: brew install nginx openssl',
    without: 'the tests of the nginx example',
  },
  {
    name: 'caddy',
    found: () => answers('caddy', ['version'], /\d/) && answers('openssl', ['version'], /SSL/),
    packages: ['caddy', 'openssl'],
    elsewhere: 'macOS: brew install caddy openssl',
    without: 'the tests of the Caddy example',
  },
  {
    name: 'strace',
    found: () => answers('strace', ['--version'], /strace/),
    packages: ['strace'],
    elsewhere: 'elsewhere than on Linux there is none',
    without: 'watching connections from outside the process (they are watched from inside)',
  },
];

function canInstall() {
  return process.platform === 'linux' && existsSync('/etc/debian_version') && process.getuid?.() === 0;
}

/** @returns what went wrong, or nothing */
function aptGet(...args) {
  const run = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', '-qq', ...args], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (run.error || run.status !== 0)
    return `apt-get ${args.join(' ')} failed: ${run.error?.message ?? run.stderr.trim()}`;
}

/** What is missing is installed one by one: a package that this release does not have keeps no other away. */
function install(needs) {
  const problems = [aptGet('update')];
  for (const need of needs) problems.push(aptGet('install', '-y', '--no-install-recommends', ...need.packages));
  for (const problem of problems.filter(Boolean)) console.error(`prepare-machine: ${problem}`);
}

function howToGet({ name, packages, elsewhere }) {
  return `${name} (Debian, Ubuntu: sudo apt-get install ${packages.join(' ')}; ${elsewhere})`;
}

const missing = NEEDS.filter((need) => !need.found());
if (missing.length > 0 && canInstall()) install(missing);

const still = missing.filter((need) => !need.found());
const needed = still.filter((need) => need.without === undefined);
if (needed.length > 0) {
  console.error('The tests drive real programs, and these are missing:');
  for (const need of needed) console.error(`  ${howToGet(need)}`);
  console.error('Install them, then run the tests again.');
  process.exit(1);
}
for (const need of still) console.log(`prepare-machine: without ${howToGet(need)} these are skipped: ${need.without}`);
const here = NEEDS.filter((need) => !still.includes(need)).map((need) => need.name);
const installed = missing.filter((need) => !still.includes(need)).map((need) => need.name);
console.log(
  `prepare-machine: ${here.join(', ')} are here${installed.length > 0 ? `; installed ${installed.join(', ')}` : ''}`,
);
