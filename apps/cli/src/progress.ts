/**
 * Progress of long work as a bar on standard error, and only where that is a terminal: logs and pipes stay clean.
 */
import { SingleBar } from 'cli-progress';

export interface Progress {
  /** Shows `done` of `total`; a new `label` starts a new bar. */
  show(label: string, done: number, total: number): void;
  /** Takes the bar away. Idempotent. */
  end(): void;
}

const SILENT: Progress = { show() {}, end() {} };

/** @param stream where the bar goes; default standard error */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return SILENT;
  let bar: SingleBar | null = null;
  let shown = '';
  const end = (): void => {
    bar?.stop();
    bar = null;
  };
  return {
    show(label, done, total) {
      if (bar === null || label !== shown) {
        end();
        shown = label;
        bar = new SingleBar({
          stream,
          format: `${label} {bar} {value}/{total} {percentage}%`,
          clearOnComplete: true,
          hideCursor: true,
          barsize: 30,
        });
        bar.start(total, done);
      }
      bar.setTotal(total);
      bar.update(done);
    },
    end,
  };
}
