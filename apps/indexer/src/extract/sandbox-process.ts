/**
 * The program that may die: reads one request from standard input, the document from there or from an open
 * file it inherits, extracts, writes lines of JSON to file descriptor 3 and exits. It opens no document itself. Danger:
 * everything here handles hostile bytes. The parent ends it by time, memory or
 * output; it ends itself when the parent is gone, and it is started with an environment that holds no secrets.
 */
import { createHash } from 'node:crypto';
import { fstatSync, readFileSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import {
  DOCUMENT_FD,
  type Extraction,
  type ExtractorResult,
  type ExtractRequest,
  OCR_ENDED,
  requestSchema,
  withoutText,
} from './extraction.ts';
import { giveWay } from './low-priority.ts';
import { processUsage } from './process-usage.ts';
import { extractorFor } from './registry.ts';

const RESULT_FD = 3;
/** Of the time allowed, what has to be this document's own work for it to count as too little. */
const OWN_SHARE = 0.5;

function send(message: object): void {
  let rest = Buffer.from(`${JSON.stringify(message)}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSync(RESULT_FD, rest));
}

/** tesseract may end before it has read its image; the promise it belongs to reports that, this event adds nothing. */
function survivesOnlyBrokenPipes(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' && error.syscall === 'write') return;
  process.stderr.write(`${error.stack ?? error}\n`);
  process.exit(1);
}

/**
 * The request line and as many bytes as it announces. What keeps the stream open afterwards is the parent: its end
 * means that nobody waits for an answer any more.
 */
async function receive(input: Readable): Promise<{ request: ExtractRequest; bytes: Buffer }> {
  let received = Buffer.alloc(0);
  const parts: Buffer[] = [];
  let size = 0;
  let request: ExtractRequest | null = null;
  for await (const chunk of input.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (request === null) {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf(0x0a);
      if (end < 0) continue;
      request = requestSchema.parse(JSON.parse(received.toString('utf8', 0, end)));
      parts.push(received.subarray(end + 1));
    } else {
      parts.push(chunk);
    }
    size += parts.at(-1)?.length ?? 0;
    if (size >= (request.byteLength ?? 0)) return { request, bytes: Buffer.concat(parts) };
  }
  throw new Error('The request ended early.');
}

/** The open file could not be read: a fact about the disk, not about the document. */
class UnreadableFile extends Error {
  readonly code: string;
  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code ?? 'unknown';
  }
}

/**
 * @returns the file's bytes, or why they are not read as a sentence
 * @throws UnreadableFile
 */
function readDocument(maxBytes: number): Buffer | string {
  try {
    return sizeProblem(fstatSync(DOCUMENT_FD).size, maxBytes) ?? readFileSync(DOCUMENT_FD);
  } catch (error) {
    throw new UnreadableFile(error as NodeJS.ErrnoException);
  }
}

function sizeProblem(size: number, maxBytes: number): string | null {
  if (maxBytes === 0 || size <= maxBytes) return null;
  return `The document has ${size} bytes; vault.doc_max_bytes allows ${maxBytes}.`;
}

async function extract(request: ExtractRequest, given: Buffer): Promise<Extraction> {
  const bytes = request.byteLength === null ? readDocument(request.maxBytes) : given;
  const problem = typeof bytes === 'string' ? bytes : sizeProblem(bytes.length, request.maxBytes);
  if (typeof bytes === 'string' || problem !== null) return complete(withoutText('failed', problem ?? ''), '');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (bytes.length === 0) return complete(withoutText('failed', 'The file is empty.'), sha256);
  const extractor = await extractorFor(request.suffix)();
  const found = await extractor(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    onTextLayer: (layer) => send({ provisional: complete(layer, sha256) }),
    ocr: request.ocr,
    languages: request.languages,
    deadlineMs: Date.now() + request.softSeconds * 1_000,
    pageDeadlineMs: Date.now() + request.pageSeconds * 1_000,
    onPage: (page, pages, step) => send({ progress: { page, pages, step } }),
  });
  return complete(await withOthersAtWork(found, request), sha256);
}

/** Time that others took says nothing of the document: another start may find the machine less busy. */
async function withOthersAtWork(found: ExtractorResult, { softSeconds }: ExtractRequest): Promise<ExtractorResult> {
  if (found.unfinished !== 'time') return found;
  const worked = (await processUsage('self'))?.familySeconds ?? softSeconds;
  if (worked >= softSeconds * OWN_SHARE) return found;
  return { ...found, unfinished: 'ended', detail: `${OCR_ENDED}${found.detail}` };
}

function complete(found: Omit<Extraction, 'sha256' | 'extracted_chars'>, sha256: string): Extraction {
  return { ...found, extracted_chars: found.text.length, sha256 };
}

process.on('uncaughtException', survivesOnlyBrokenPipes);
// The parser looks ahead at pages in promises that nobody waits for. What is wrong with such a page the call for it
// reports; this only keeps the looking ahead from ending the process, and the parent's limits end one that hangs.
process.on('unhandledRejection', (reason) => process.stderr.write(`not waited for: ${reason}\n`));
giveWay();
const { request, bytes } = await receive(process.stdin);
process.stdin.once('close', () => process.exit(1)).resume();
try {
  send({ result: await extract(request, bytes) });
} catch (error) {
  const code = error instanceof UnreadableFile ? error.code : null;
  send({ error: { code, message: (error as Error).message } });
}
process.exit(0);
