let table: Uint16Array | undefined;

/**
 * Answers the table that gives each UTF-16 unit the one that stands for all its cases, such as σ for Σ, σ and ς, and a
 * space for tabs and line ends. Letters beyond the Basic Multilingual Plane have two units, which stand for themselves:
 * no other case of them is known here.
 */
export function unitFolding(): Uint16Array {
  table ??= Uint16Array.from({ length: 0x10000 }, (_, code) => foldUnit(code));
  return table;
}

function foldUnit(code: number): number {
  if (code === 0x09 || code === 0x0a || code === 0x0d) return 0x20;
  const character = String.fromCharCode(code);
  const upper = character.toUpperCase();
  const folded = (upper.length === 1 ? upper : character).toLowerCase();
  return folded.length === 1 ? folded.charCodeAt(0) : code;
}
