/**
 * What is known of how a document was read, as people are told of it. Pure. Danger: it was put together of other programs'
 * messages, some of which are sentences of their own and some a few words, and both stand between sentences of ours.
 */

/** @returns the same without the full stop that a quoted message brings along: "… (Invalid structure.)." */
export function withoutStrayStops(detail: string): string {
  return detail.replace(/\.\)(?=\.|$)/g, ')');
}

/** @returns a whole sentence; one that begins with a name keeps it as it is written */
export function detailSentence(detail: string): string {
  const tidy = withoutStrayStops(detail);
  const begun = /^(?:pages?|the|only|time|its?)\b/.test(tidy) ? tidy.charAt(0).toUpperCase() + tidy.slice(1) : tidy;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
