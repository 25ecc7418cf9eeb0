/** The log of a command: silent unless asked for, since its answer and its one-line error are what people read. */
import type { Config } from '@vault-mcp/shared/config/schema';
import { createLogger, type Logger, silentLogger } from '@vault-mcp/shared/log';

export function commandLog(config: Config, options: { verbose?: boolean }): Logger {
  return options.verbose === true ? createLogger({ name: 'cli', level: config.log.level }) : silentLogger();
}
