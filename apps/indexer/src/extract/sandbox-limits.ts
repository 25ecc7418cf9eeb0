/**
 * What one extraction may take, and how a configuration says so. Danger: it gives way to everything else on the machine, so
 * what one page may take is counted in the processor's time: by the clock alone a busy machine would make pages unreadable.
 */
export interface SandboxLimits {
  /** Opening the document, or one page of it: processor seconds; by the clock where there is no /proc. */
  readonly stepSeconds: number;
  /** The same by the clock, for what hangs without work. Seconds. */
  readonly textClockSeconds: number;
  /** The same for a page of OCR, which waits for another program. Seconds. */
  readonly ocrClockSeconds: number;
  /** The whole extraction, by the clock. Seconds. */
  readonly totalSeconds: number;
  /** Resident size of the process, polled where /proc exists. */
  readonly residentBytes: number;
  /** JavaScript heap, enforced by the process itself everywhere. MiB. */
  readonly heapMebibytes: number;
  /** All that the process may answer. Bytes. */
  readonly outputBytes: number;
}

/** Longest that tesseract may be at one page, by the clock: at a tenth of a processor (low-priority.ts) twice what it may work. */
export const RECOGNITION_CLOCK_SECONDS = 1_200;

/** An A3 colour scan at 600 dpi needs some 700 MB. */
export const DEFAULT_LIMITS: SandboxLimits = {
  stepSeconds: 90,
  textClockSeconds: 300,
  ocrClockSeconds: RECOGNITION_CLOCK_SECONDS + 60,
  totalSeconds: 3_600,
  residentBytes: 1024 ** 3,
  heapMebibytes: 640,
  outputBytes: 128 * 1024 ** 2,
};

/** Of a process's memory, how much may be JavaScript's: the rest is for pictures and what decodes them. */
const HEAP_SHARE = 5 / 8;
export const MEBIBYTE = 1024 ** 2;

/** @param seconds `vault.doc_max_seconds` @param mebibytes `vault.doc_max_memory_mib` */
export function sandboxLimits(seconds: number, mebibytes: number): SandboxLimits {
  return {
    ...DEFAULT_LIMITS,
    totalSeconds: seconds,
    residentBytes: mebibytes * MEBIBYTE,
    heapMebibytes: Math.floor(mebibytes * HEAP_SHARE),
  };
}

/** What is kept for the page in hand and for handing over what there is: a page of OCR takes seconds on a slow machine. */
const CLOSING_SHARE = 0.1;
const CLOSING_SECONDS = 15;

/** @returns seconds after which no further page is begun */
export function softSeconds(totalSeconds: number): number {
  return totalSeconds - Math.min(totalSeconds / 2, Math.max(totalSeconds * CLOSING_SHARE, CLOSING_SECONDS));
}

/** For starting the process and for handing over its answer. */
const HAND_OVER_SECONDS = 5;

/** @returns seconds after which the page in hand is given up too, so that those before it are not lost with it */
export function pageSeconds(totalSeconds: number): number {
  return Math.max(softSeconds(totalSeconds), totalSeconds - HAND_OVER_SECONDS);
}
