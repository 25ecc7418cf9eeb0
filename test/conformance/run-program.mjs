/** Runs one of the tools to its end and gives back what it said. Danger: one that hangs must not hang the run. */
import { execFile } from 'node:child_process';

const PROGRAM_MS = 120_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * @param {string[]} command program and arguments
 * @param {Record<string, string>} env the whole environment
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 * @throws Error when it could not be started or did not end
 */
export function runProgram([program = '', ...args], env) {
  return new Promise((resolve, reject) => {
    const options = { env, cwd: env.HOME, timeout: PROGRAM_MS, maxBuffer: MAX_OUTPUT_BYTES };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(new Error(`${program} ${args.join(' ')}: ${error.message}`));
      else resolve({ code: error?.code ?? 0, stdout, stderr });
    });
    child.stdin?.end();
  });
}
