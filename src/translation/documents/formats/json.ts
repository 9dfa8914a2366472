import { parseJson, stringUnits, stringValues } from './json-strings.js';
import { replaceUnit, textFormat } from './splices.js';

/** Values that are strings; keys, numbers and white space are what they were. */
export const json = textFormat(async function* readJson(text, edit) {
  parseJson(text);
  const unitOf = stringUnits(text);
  for (const place of stringValues(text)) {
    const unit = unitOf(place);
    const splice = unit && (await replaceUnit(unit, edit));
    if (splice) yield splice;
  }
});
