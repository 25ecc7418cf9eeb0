/**
 * What a worker's log says of documents that it hands back: once for each cause, however many documents meet it, and once
 * that it has passed. Danger: the reasons name this machine's folders and errors, so they belong here and not in what is said
 * of the document to whoever asks.
 */
import { createOutageLog, type Logger, type OutageLog } from '@vault-mcp/shared/log';

/** Whether this process would read it otherwise, or its copy of the vault is another one. What OCR lacks: see OcrReadiness. */
export type HandBackCause = 'settings' | 'vault';

export interface HandBackLog {
  /** @param reason names the document and what is wrong with it on this machine */
  handedBack(cause: HandBackCause, sha256: string, reason: string): void;
  /** This one was read here. */
  read(sha256: string): void;
}

/**
 * A document that has not come back for so long is somebody else's by now: longer than most readings take, during which none
 * is handed back. Milliseconds.
 */
const FORGOTTEN_MS = 15 * 60_000;

const WORDS = { away: 'documents are left to other workers: trying on', back: 'documents are read again' };

interface Cause {
  readonly outage: OutageLog;
  /** When each document was last handed back for it, by its hash. */
  readonly documents: Map<string, number>;
}

/** @param now milliseconds on a clock that never goes back; tests pass their own */
export function createHandBackLog(logger: Logger, now: () => number = () => performance.now()): HandBackLog {
  const about = (cause: HandBackCause): Cause => ({
    outage: createOutageLog(logger, WORDS, { cause }),
    documents: new Map(),
  });
  const causes: Readonly<Record<HandBackCause, Cause>> = { settings: about('settings'), vault: about('vault') };
  return {
    handedBack(cause, sha256, reason) {
      const { outage, documents } = causes[cause];
      documents.set(sha256, now());
      outage.away(reason);
    },
    read(sha256) {
      for (const { outage, documents } of Object.values(causes)) {
        documents.delete(sha256);
        for (const [other, at] of documents) if (now() - at > FORGOTTEN_MS) documents.delete(other);
        // One that is read says nothing of those that are not there.
        if (documents.size === 0) outage.back();
      }
    },
  };
}
