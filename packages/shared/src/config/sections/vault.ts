/** Configuration of the vault and of what stands beside it on disk: `vault.*`, `data.*`, `notes.*`, `catalog.*`, `files.*`, `wiki.*`. */
import { z } from 'zod';
import { flag, list, number, text } from '../setting.ts';
import { filledText, localPath, vaultRelativePath, wholeNumber } from '../value-types.ts';

/** Suffixes the indexer has a text extractor for; `vault.doc_suffixes` may name only these. */
export const EXTRACTABLE_SUFFIXES = ['.pdf'] as const;

const docSuffix = filledText
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.enum(EXTRACTABLE_SUFFIXES, { error: `has an extractor only for ${EXTRACTABLE_SUFFIXES.join(', ')}` }));

/** One of tesseract's language names: a code of three letters and up to two qualifiers, as in `chi_tra_vert`. */
export const OCR_LANGUAGE = /^[a-z]{3}(_[a-z]{1,8}){0,2}$/;

const ocrLanguage = z
  .string('must be a list of tesseract language names')
  .regex(OCR_LANGUAGE, 'must be tesseract language names such as eng, deu or chi_sim');

export const vaultSection = z.strictObject({
  path: text(localPath, {
    variable: 'VAULT_PATH',
    doc: 'The folder of notes to serve. Files in it are the truth; everything else can be rebuilt from them.',
    default: '/vault',
    embedded: 'required',
    localPath: true,
  }),
  doc_suffixes: list(docSuffix, {
    variable: 'DOC_SUFFIXES',
    doc: 'Files with these endings are documents: read, filed, searched by their extracted text. Empty: none.',
    default: ['.pdf'],
  }),
  doc_files_dir: text(
    filledText.refine((name) => !/[/\\]/.test(name) && !name.startsWith('.'), 'must be one plain folder name'),
    {
      variable: 'DOC_FILES_DIR',
      doc: 'The folder name that uploaded documents must lie directly in.',
      default: 'Files',
    },
  ),
  doc_ocr: flag({
    variable: 'DOC_OCR',
    doc: 'Read scanned documents by OCR (needs tesseract).',
    default: true,
  }),
  doc_ocr_languages: list(
    ocrLanguage,
    {
      variable: 'DOC_OCR_LANGUAGES',
      doc: 'Tesseract languages to recognise.',
      default: ['eng'],
    },
    { filled: true },
  ),
  doc_max_bytes: number(wholeNumber(0), {
    variable: 'DOC_MAX_BYTES',
    doc: 'Largest document accepted or extracted, in bytes. 0 = no limit.',
    default: 52_428_800,
  }),
  doc_max_seconds: number(wholeNumber(1, 86_400), {
    variable: 'DOC_MAX_SECONDS',
    doc: 'Longest that extracting one document may take, in seconds; OCR is content with the pages it has shortly before.',
    default: 3_600,
  }),
  doc_max_memory_mib: number(wholeNumber(128, 65_536), {
    variable: 'DOC_MAX_MEMORY_MIB',
    doc: 'Most memory that extracting one document may take, in MiB. An A3 colour scan at 600 dpi needs some 700.',
    default: 1_024,
  }),
  note_max_bytes: number(wholeNumber(1), {
    variable: 'NOTE_MAX_BYTES',
    doc: 'Largest note read, written or indexed, in bytes.',
    default: 5_242_880,
  }),
  trash: flag({
    variable: 'TRASH',
    doc: 'Deleting moves to .trash/ inside the vault; false deletes for good.',
    default: true,
  }),
});

export const dataSection = z.strictObject({
  path: text(localPath, {
    variable: 'DATA_PATH',
    doc: 'Folder for index, cache, locks and records, unless set apart. Never inside an undotted folder of the vault.',
    default: '/data',
    embedded: 'required',
    localPath: true,
  }),
});

export const notesSection = z.strictObject({
  timestamp_key: text(z.string('must be text').regex(/^$|^[A-Za-z_][\w -]*$/, 'must be a plain frontmatter key'), {
    variable: 'NOTES_TIMESTAMP_KEY',
    doc: 'Frontmatter key set to the time of every content write. Empty: never touch.',
    default: 'timestamp',
    whenEmpty: '',
  }),
});

export const catalogSection = z.strictObject({
  enabled: flag({
    variable: 'CATALOG_ENABLED',
    doc: 'Keep a generated index.md at the vault’s root. A person’s own index.md is never overwritten.',
    default: true,
  }),
});

export const filesSection = z.strictObject({
  root: text(localPath.nullable(), {
    variable: 'FILES_ROOT',
    doc: 'Folder that files_write may write into. Unset: the tool does not exist.',
    default: null,
    localPath: true,
    whenEmpty: null,
  }),
});

export const wikiSection = z.strictObject({
  dir: text(vaultRelativePath, {
    variable: 'WIKI_DIR',
    doc: 'Folder of the pages that one-fact writes go to.',
    default: 'Wiki',
  }),
});
