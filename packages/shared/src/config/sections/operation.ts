/** Configuration of upkeep and records: `links.*`, `maintenance.*`, `audit.*`, `history.*`, `log.*`, `time_zone`. */
import { z } from 'zod';
import { LOG_LEVELS } from '../../log.ts';
import { autoFlag, flag, number, text } from '../setting.ts';
import { choice, timeZone, wholeNumber } from '../value-types.ts';

export const linksSection = z.strictObject({
  auto_qualify: flag({
    variable: 'LINKS_AUTO_QUALIFY',
    doc: 'When a second note takes a name, rewrite the links that meant the first so that they say so; false leaves it to doctor --fix-links.',
    default: false,
  }),
  repair: flag({
    variable: 'LINKS_REPAIR',
    doc: 'Let links follow a file that another program renamed, where that is certain; false leaves it to doctor --fix-links.',
    default: false,
  }),
});

export const maintenanceSection = z.strictObject({
  scripts: autoFlag({
    variable: 'MAINTENANCE_SCRIPTS',
    doc: 'Run the vault’s own check scripts: auto = only where this process cannot write .scripts and the system confines them, true, false.',
    default: 'auto',
  }),
});

export const auditSection = z.strictObject({
  retention_days: number(wholeNumber(0, 36_500), {
    variable: 'AUDIT_RETENTION_DAYS',
    doc: 'Days the audit log is kept. 0 = for ever.',
    default: 0,
  }),
});

export const historySection = z.strictObject({
  git: text(choice(['auto', 'on', 'off']), {
    variable: 'HISTORY_GIT',
    doc: 'Commit what is written, so far by one-fact writes only: auto = when the vault is a git work tree, on, off.',
    default: 'auto',
  }),
});

export const logSection = z.strictObject({
  level: text(choice(LOG_LEVELS), {
    variable: 'LOG_LEVEL',
    doc: 'Least severe log line that is written.',
    default: 'info',
  }),
});

export const timeZoneSetting = text(timeZone, {
  variable: 'TZ',
  doc: 'Time zone of "today" in dates and expiries.',
  default: 'UTC',
  whenEmpty: 'UTC',
});
