/**
 * The text a chunk is embedded as: the chunk alone often does not say what it is about. The embedder puts the model's
 * document prefix before it. Danger: vectors are cached by this text; every change of it embeds the vault anew.
 */

export interface ChunkInNote {
  readonly title: string;
  /** Empty when the note has none. */
  readonly description: string;
  readonly breadcrumb: string;
  readonly text: string;
}

/** `title - description`, the breadcrumb, a blank line, the chunk; what is empty is left out. */
export function embeddedText({ title, description, breadcrumb, text }: ChunkInNote): string {
  const about = [title, description].filter((part) => part !== '').join(' - ');
  const head = [about, breadcrumb].filter((part) => part !== '').join('\n');
  return head === '' ? text : `${head}\n\n${text}`;
}
