/**
 * `vault-mcp backup`: copies the records, which nothing can make again, into a folder of their own; also while a server
 * runs. Danger: it is no backup of the notes, and says so; and who has it has what agents wrote.
 */
import { describeProgram } from '@vault-mcp/api/about';
import { type BackupReport, backUpRecords, presentRecords } from '@vault-mcp/shared/records/backup';
import type { Command } from 'commander';
import { audited } from '../audited-command.ts';
import { commandLog } from '../command-log.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type CommonOptions, withCommonOptions } from '../options.ts';
import { answer, counted, remark } from '../output.ts';
import { settlePlace } from '../place.ts';
import { recordLines, recordPlaces } from '../record-places.ts';

/** Adds options and action to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  command.argument('<folder>', 'a folder that is there; the backup gets a folder of its own in it');
  withCommonOptions(command).action(async (to: string, options: CommonOptions) =>
    setExitCode(await backUp(to, options)),
  );
}

async function backUp(to: string, options: CommonOptions): Promise<ExitCode> {
  const { config } = settlePlace(options, 'use-example');
  const places = recordPlaces(config);
  // Looked for before the call is written down, which would make the first record.
  if ((await presentRecords(places)).length === 0) {
    remark(`There is no record in ${config.data.path} yet, so nothing was backed up.`);
    return EXIT.findings;
  }
  const product = `vault-mcp ${describeProgram(Date.now()).version}`;
  const call = { operation: 'backup', args: { to } };
  const report = await audited(config, commandLog(config, options), call, () =>
    backUpRecords(places, to, { product, now: new Date() }),
  );
  answer(options.json, asJson(report), () => asText(report, config.vault.path));
  remarkOn(report);
  return EXIT.ok;
}

function asJson({ folder, manifest, brokenOff }: BackupReport) {
  return { folder, ...manifest, broken_off: brokenOff };
}

function asText({ folder, manifest }: BackupReport, vault: string): string {
  return [
    `Backed up into ${folder}`,
    ...recordLines(manifest.files),
    `Not in it: the notes, which are files in ${vault}; the operator's key; the index, which is made again.`,
  ].join('\n');
}

function remarkOn({ manifest, brokenOff }: BackupReport): void {
  for (const { name, damaged } of manifest.files) {
    if (damaged > 0) remark(`${name} has ${counted(damaged, 'line')} that cannot be read; carried along as they are.`);
  }
  for (const folder of brokenOff) remark(`${folder} is of a backup that broke off: delete it, if none is being made.`);
}
