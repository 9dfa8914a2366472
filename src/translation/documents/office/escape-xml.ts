/** What XML 1.0 has no way to write. */
const FORBIDDEN = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;

/** A text as XML; what cannot be written is left out. */
export function escapeXml(text: string): string {
  return text.replaceAll(FORBIDDEN, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
