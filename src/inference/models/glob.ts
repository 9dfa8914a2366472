/**
 * Whether a name fits a pattern, in which `*` stands for any characters, slashes included, and `?` for one. It takes
 * time in proportion to both lengths at most: regular expressions made of such patterns can take for ever.
 */
export function fitsGlob(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  for (let position = 0; position < name.length;) {
    if (pattern[at] === '*') {
      star = at;
      at += 1;
      resumeAt = position;
    } else if (pattern[at] === '?' || (at < pattern.length && pattern[at] === name[position])) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      // The last star takes one character more.
      at = star + 1;
      resumeAt += 1;
      position = resumeAt;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(at));
}
