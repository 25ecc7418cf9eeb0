/**
 * Whether this process can recognise scans, as it was last found out, for those who run it to see before any scan comes.
 * Danger: asking starts a program that may hang, so nothing waits for the answer.
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
}

export interface OcrReadinessOptions {
  readonly ocr: boolean;
  readonly ocrLanguages: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly logger: Logger;
}

export function createOcrReadiness({ ocr, ocrLanguages, environment, logger }: OcrReadinessOptions): OcrReadiness {
  let error: string | null = null;
  let asking: Promise<boolean> | null = null;
  const outage = createOutageLog(logger, {
    away: 'scans cannot be read: each is listed as needs_ocr',
    back: 'scans can be read now',
  });
  const ask = async (): Promise<boolean> => {
    error = await missingForOcr(ocrLanguages.join('+'), { ownGroup: true, ...(environment && { environment }) });
    if (error === null) outage.back();
    else outage.away(error);
    return error === null;
  };
  return {
    state: () => ({ enabled: ocr, languages: ocrLanguages, error }),
    async refresh() {
      if (!ocr) return false;
      asking ??= ask().finally(() => {
        asking = null;
      });
      return asking;
    },
  };
}
