/**
 * The JSON in a chat model's answer. Pure. Danger: what a model says around its answer may hold anything, braces among it, so
 * nothing is searched for in a text: it is the answer, or the answer in one code fence, or no answer.
 */

/** One fence around everything, with or without the name of the language. */
const FENCED = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/i;

/** @returns undefined for a text that is no JSON, nor one code fence with JSON in it */
export function parseJsonAnswer(text: string): unknown {
  const trimmed = text.trim();
  const inside = FENCED.exec(trimmed)?.[1];
  try {
    return JSON.parse(inside ?? trimmed);
  } catch {
    return undefined;
  }
}
