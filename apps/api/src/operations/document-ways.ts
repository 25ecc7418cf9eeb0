/**
 * What else can be asked of a document that has no text to give, in the words of the surface that is asked. Danger: whoever
 * reads over MCP has tools and no query, and is led astray by the other's words.
 */

/** Each a sentence. */
export interface DocumentWays {
  /** Of one whose text is still to come. */
  readonly pending: string;
  /** Of one that has none. */
  readonly textless: string;
}

export const REST_WAYS: DocumentWays = {
  pending: '?raw is the document itself, ?map says how far it is.',
  textless: '?raw is the document itself.',
};

export const TOOL_WAYS: DocumentWays = {
  pending: 'vault_map says how far it is.',
  textless: 'vault_map says what is known of it; its bytes are served over REST alone.',
};
