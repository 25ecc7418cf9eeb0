/**
 * Runs before the tests: sees to the programs they drive for real. On Debian as root what is missing is installed;
 * anywhere else it is named, with how to get it, and the run ends here rather than in a hundred failing tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';

/** @typedef {{ name: string, found: () => boolean, packages: string[], elsewhere: string }} Need */

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
];

function canInstall() {
  return process.platform === 'linux' && existsSync('/etc/debian_version') && process.getuid?.() === 0;
}

function aptGet(...args) {
  const run = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', '-qq', ...args], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (run.error || run.status !== 0) {
    console.error(`prepare-machine: apt-get ${args.join(' ')} failed: ${run.error?.message ?? run.stderr.trim()}`);
    process.exit(1);
  }
}

const missing = NEEDS.filter((need) => !need.found());
if (missing.length > 0 && canInstall()) {
  aptGet('update');
  aptGet('install', '-y', '--no-install-recommends', ...missing.flatMap((need) => need.packages));
}

const still = missing.filter((need) => !need.found());
if (still.length > 0) {
  console.error('The tests drive real programs, and these are missing:');
  for (const need of still) {
    console.error(
      `  ${need.name} (Debian, Ubuntu: sudo apt-get install ${need.packages.join(' ')}; ${need.elsewhere})`,
    );
  }
  console.error('Install them, then run the tests again.');
  process.exit(1);
}
const installed = missing.length > 0 ? `; installed ${missing.map((need) => need.name).join(', ')}` : '';
console.log(`prepare-machine: ${NEEDS.map((need) => need.name).join(', ')} are here${installed}`);
