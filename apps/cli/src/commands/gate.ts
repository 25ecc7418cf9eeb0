/**
 * `vault-mcp gate calibrate`: what ceilings the write gate should have in this vault, from its own notes. Reads the index, also
 * while a server works on it; needs no embedder. Danger: it changes nothing, so that what it suggests has to be set by a person.
 */
import { calibrate } from '@vault-mcp/api/memory/calibrate/calibrate';
import { MIN_NOTES } from '@vault-mcp/api/memory/calibrate/suggest';
import { SHIPPED_CEILINGS } from '@vault-mcp/api/memory/gate/shipped-ceilings';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import type { Config } from '@vault-mcp/shared/config/schema';
import { resolveSpace } from '@vault-mcp/shared/embedding/settings';
import { spaceDigest } from '@vault-mcp/shared/embedding/space';
import { AppError } from '@vault-mcp/shared/errors';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Command } from 'commander';
import { audited } from '../audited-command.ts';
import { type CalibrationReport, calibrationText, remarksOf, settingsOf } from '../calibration-text.ts';
import { commandLog } from '../command-log.ts';
import { CliError, EXIT, EXIT_CODE_HELP, type ExitCode } from '../exit-codes.ts';
import { type CommonOptions, wholeNumber, withCommonOptions, withLexicalOption } from '../options.ts';
import { answer } from '../output.ts';
import { settlePlace } from '../place.ts';
import { createProgress } from '../progress.ts';

/** Notes looked at when nobody says how many: shares of them are good to a few in a hundred. */
const DEFAULT_SAMPLES = 400;
const MAX_SAMPLES = 20_000;

interface CalibrateOptions extends CommonOptions {
  readonly samples: number;
}

/** Adds its commands to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  const one = command
    .command('calibrate')
    .description('suggest ceilings for the write gate from what this vault’s notes measure of each other')
    .option('--samples <number>', 'most notes to look at', wholeNumber(MIN_NOTES, MAX_SAMPLES), DEFAULT_SAMPLES)
    .addHelpText('after', EXIT_CODE_HELP);
  withLexicalOption(
    withCommonOptions(one),
    'for an index of words only: the lexical embedder in place of the configured one',
  );
  one.action(async (options: CalibrateOptions) => setExitCode(await calibrateGate(options)));
}

async function calibrateGate(options: CalibrateOptions): Promise<ExitCode> {
  const { config } = settlePlace(options, 'use-example');
  const call = { operation: 'calibrate-gate', args: { samples: options.samples } };
  const report = await audited(config, commandLog(config, options), call, async () => measure(config, options.samples));
  answer(options.json, report, () => calibrationText(report));
  const complete = report.distance.suggested !== null && report.bm25.suggested !== null;
  return complete && report.remarks.length === 0 ? EXIT.ok : EXIT.findings;
}

function measure(config: Config, samples: number): CalibrationReport {
  const configured = resolveSpace(config.embedding);
  const progress = createProgress();
  const reader = openIndexReader(config.index.path);
  try {
    const space = reader.space();
    const found = calibrate({
      indexPath: config.index.path,
      reader,
      analyzer: createAnalyzer(config.search.language),
      excludeDirs: config.search.exclude_dirs,
      samples,
      inForce: ceilingsInForce(config, space),
      onProgress: (done, of) => progress.show('notes', done, of),
    });
    const ofConfigured = found.space === spaceDigest(configured);
    return {
      ...found,
      model: ofConfigured ? configured.model : null,
      configured_model: configured.model,
      set: settingsOf(found, ofConfigured),
      remarks: remarksOf(found, { ofConfigured, configured: configured.model }),
    };
  } catch (error) {
    throw withoutIndex(error);
  } finally {
    progress.end();
    reader.close();
  }
}

function ceilingsInForce({ gate }: Config, space: string | null): { distance: number | null; bm25: number | null } {
  const shipped = SHIPPED_CEILINGS.find((one) => one.space === space);
  return {
    distance: gate.distance_ceiling ?? shipped?.distance ?? null,
    bm25: gate.bm25_ceiling ?? shipped?.bm25 ?? null,
  };
}

/** What the reader says of an index that is not there is meant for who asks a server. */
function withoutIndex(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'not_ready') return error;
  const message = 'There is no index to measure: run `vault-mcp reindex`, or start the server, and try again.';
  return new CliError(EXIT.failed, message, { cause: error });
}
