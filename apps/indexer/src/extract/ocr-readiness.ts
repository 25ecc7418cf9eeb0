/**
 * Whether this process can recognise scans, as it was last found out, for those who run it to see before any scan comes.
 * Danger: asking starts a program that may hang, so nothing that others wait for waits for the answer.
 */
import { createOutageLog, type Logger } from '@vault-mcp/shared/log';
import { missingForOcr } from './ocr-check.ts';

export interface OcrState {
  /** `vault.doc_ocr` */
  readonly enabled: boolean;
  /** `vault.doc_ocr_languages` */
  readonly languages: readonly string[];
  /** What is missing and how to get it; null when nothing is, when OCR is off, and until it is known. */
  readonly error: string | null;
}

export interface OcrReadiness {
  state(): OcrState;
  /**
   * Asks again; several at once are one.
   * @returns whether scans can be recognised here, as far as is known. Never rejects.
   */
  refresh(): Promise<boolean>;
  /** Whoever read a scan has asked, and this is missing: nobody need ask a second time. */
  lacking(error: string): void;
}

export interface OcrReadinessOptions {
  readonly ocr: boolean;
  readonly ocrLanguages: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly logger: Logger;
  /** Other processes may read what this one cannot. Default false. */
  readonly elsewhere?: boolean;
}

export function createOcrReadiness(options: OcrReadinessOptions): OcrReadiness {
  const { ocr, ocrLanguages, environment, logger, elsewhere = false } = options;
  let error: string | null = null;
  let asking: Promise<boolean> | null = null;
  const outage = createOutageLog(logger, {
    away: elsewhere ? 'scans are left to others' : 'scans cannot be read: each is listed as needs_ocr',
    back: 'scans can be read now',
  });
  const learn = (found: string | null): boolean => {
    error = found;
    if (found === null) outage.back();
    else outage.away(found);
    return found === null;
  };
  const ask = async (): Promise<boolean> =>
    learn(await missingForOcr(ocrLanguages.join('+'), { ownGroup: true, ...(environment && { environment }) }));
  return {
    state: () => ({ enabled: ocr, languages: ocrLanguages, error }),
    async refresh() {
      if (!ocr) return false;
      asking ??= ask().finally(() => {
        asking = null;
      });
      return asking;
    },
    lacking: (found) => void learn(found),
  };
}
