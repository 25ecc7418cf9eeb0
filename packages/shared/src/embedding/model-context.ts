/**
 * How much text a model takes, as Ollama's `/api/show` tells it. Danger: Ollama refuses or crashes on longer input
 * instead of cutting it (FACTS), so an unknown context stays null and the refusal itself has to teach the limit.
 */

/** Characters per token of ordinary prose, the chunker's own estimate (SPEC §10). */
const CHARACTERS_PER_TOKEN = 3.6;
/** Room for what the estimate misses and for the model's own marker tokens. */
const SAFE_SHARE = 0.9;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** @returns context length in tokens: `num_ctx` where the model file sets it, never above the architecture's own. */
export function contextTokensOf(show: unknown): number | null {
  if (typeof show !== 'object' || show === null) return null;
  const { model_info: info, parameters } = show as { model_info?: unknown; parameters?: unknown };
  const limits: number[] = [];
  if (typeof info === 'object' && info !== null) {
    for (const [name, value] of Object.entries(info)) {
      if (name.endsWith('.context_length') && isCount(value)) limits.push(value);
    }
  }
  const set = typeof parameters === 'string' ? /^\s*num_ctx\s+(\d{1,9})\s*$/m.exec(parameters) : null;
  if (set !== null && isCount(Number(set[1]))) limits.push(Number(set[1]));
  return limits.length === 0 ? null : Math.min(...limits);
}

/** @returns how many characters of this text should fit into `tokens`; a text in CJK fits far fewer. */
export function characterLimit(text: string, tokens: number): number {
  const wide = text.match(WIDE)?.length ?? 0;
  const estimated = wide + (text.length - wide) / CHARACTERS_PER_TOKEN;
  const safe = tokens * SAFE_SHARE;
  return estimated <= safe ? text.length : Math.max(1, Math.floor((text.length * safe) / estimated));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
