/**
 * What operations ask of a note's text, as plain data, so that the answer is the same whichever thread parsed it. Pure.
 * Danger: the whole note is parsed for any of it; whoever only wants its text must not come here.
 */
import { type CanvasLink, canvasTargets } from '@vault-mcp/shared/vault/note/canvas-targets';
import type { Link } from '@vault-mcp/shared/vault/note/model';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import type { LinkTarget } from '@vault-mcp/shared/vault/note/resolve-link';
import { sectionText } from '@vault-mcp/shared/vault/note/sections';
import { missingStructure } from '@vault-mcp/shared/vault/note/whole-structure';
import { canvasLinkSources, type LinkSource, noteLinkSources } from '../links/link-source.ts';

export interface NoteFrontmatter {
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly frontmatter_error?: string;
}

/** What is read beside the text. */
export interface NoteParts extends NoteFrontmatter {
  /** Where the text without frontmatter starts, in UTF-16 units. */
  readonly bodyFrom: number;
  readonly tags: readonly string[];
  /** Text of the section asked for. */
  readonly section?: string;
}

export interface HeadingEntry {
  /** 1 to 6. */
  readonly depth: number;
  readonly text: string;
  /** Names this heading and no other in this note. */
  readonly target: string;
  /** 1-based line in the file. */
  readonly line: number;
}

/** What a map shows. */
export interface NoteOutline extends NoteFrontmatter {
  readonly headings: HeadingEntry[];
  /** Block targets, as `^id`. */
  readonly blocks: string[];
  /** Why headings and blocks may be missing, and none of them can be used as a target. */
  readonly outline_error?: string;
}

/** Where a note leads, each link as resolveLink takes it, with the rest of how it is written. */
export interface NoteLinks {
  readonly links: readonly NoteLink[];
}

/** The links of a note or a canvas, each with the text that it is written in. */
export interface LinkSources {
  readonly sources: readonly LinkSource[];
}

/** Where a canvas leads. */
export interface CanvasLinks {
  readonly links: readonly CanvasLink[];
}

export type NoteLink = LinkTarget & Pick<Link, 'embed' | 'heading' | 'block' | 'alias' | 'line'>;

/** A section by heading target or `^id`, or none. */
export type NoteQuestion =
  | { readonly about: 'parts'; readonly section?: string }
  | { readonly about: 'outline' }
  | { readonly about: 'links' }
  // The text is that of a note or of a canvas.
  | { readonly about: 'link-sources'; readonly of: 'note' | 'canvas' }
  // The text is that of a canvas, whose cards are notes.
  | { readonly about: 'canvas-links' };

export type NoteAnswer<Q extends NoteQuestion> = Q extends { readonly about: 'outline' }
  ? NoteOutline
  : Q extends { readonly about: 'links' }
    ? NoteLinks
    : Q extends { readonly about: 'link-sources' }
      ? LinkSources
      : Q extends { readonly about: 'canvas-links' }
        ? CanvasLinks
        : NoteParts;

/** @throws AppError no_such_heading, ambiguous_heading, no_such_block, note_too_large (a section of a note of too many blocks) */
export function askNote(
  text: string,
  question: NoteQuestion,
): NoteParts | NoteOutline | NoteLinks | LinkSources | CanvasLinks {
  if (question.about === 'canvas-links') return { links: canvasTargets(text) };
  if (question.about === 'link-sources') {
    return { sources: question.of === 'note' ? noteLinkSources(text) : canvasLinkSources(text) };
  }
  const note = parseNote(text);
  if (question.about === 'links') return { links: note.links.map(noteLink) };
  const { data, error } = note.frontmatter;
  const frontmatter = { frontmatter: data, ...(error === undefined ? {} : { frontmatter_error: error }) };
  if (question.about === 'outline') {
    const problem = missingStructure(note);
    return {
      ...frontmatter,
      headings: note.headings.map(({ depth, text: heading, target, line }) => ({ depth, text: heading, target, line })),
      blocks: note.blocks.map(({ id }) => `^${id}`),
      ...(problem === undefined ? {} : { outline_error: problem }),
    };
  }
  const { section } = question;
  return {
    ...frontmatter,
    bodyFrom: note.bodyFrom,
    tags: note.tags,
    ...(section === undefined ? {} : { section: sectionText(note, section) }),
  };
}

/** Without its place in the text, which nobody asks for. */
function noteLink({ form, target, embed, heading, block, alias, line }: Link): NoteLink {
  return {
    ...{ form, target, embed, line },
    ...(heading === undefined ? {} : { heading }),
    ...(block === undefined ? {} : { block }),
    ...(alias === undefined ? {} : { alias }),
  };
}
