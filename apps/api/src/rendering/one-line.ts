/**
 * Names and titles as they may stand in a line of ours. Pure. Danger: whoever can name a file, a title or a heading
 * would otherwise write lines of the answer (a hit that is none, a header), or commands to the reader's terminal.
 */

/** What most programs show as a line break without its being a control character. */
const LINE_SEPARATORS = '\u2028\u2029';

const CONTROL = /\p{Cc}/gu;
const CONTROL_OR_SEPARATOR = new RegExp(`[\\p{Cc}${LINE_SEPARATORS}]`, 'gu');
const CONTROL_BUT_LAYOUT = /(?![\n\t])\p{Cc}/gu;

/** On one line, whatever it holds; control characters become their pictures (a line break ␊, an escape ␛). */
export function oneLine(text: string): string {
  return text.replace(CONTROL_OR_SEPARATOR, picture);
}

/** The same for a heading's target, in which white space of any kind means the same and control characters nothing: it
 * still resolves. */
export function targetLine(target: string): string {
  return target.replace(/\s+/g, ' ').replace(CONTROL, '');
}

/** Whole text for a terminal: lines and tabs stay, what would steer the terminal is shown. */
export function forTerminal(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(CONTROL_BUT_LAYOUT, picture);
}

/** Unicode's control pictures: one for each C0 character and DEL; C1 has none but the line break's. */
function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return code === 0x85 || LINE_SEPARATORS.includes(character) ? '\u2424' : '\ufffd';
}
