import { ExtractionFailed } from '../../../platform/extraction/extraction-failed.js';
import { isJsonObject } from '../../../platform/json/json-object.js';
import type { JsonObject } from '../../../platform/json/json-object.js';
import { withContext } from '../../units/unit-context.js';
import { parseJson, stringUnits, stringValues } from '../formats/json-strings.js';
import { replaceUnit, textFormat } from '../formats/splices.js';

/**
 * Application Resource Bundles: messages. Keys, and what is said about messages behind `@`, are what they were; the
 * description of a message goes along as its context, and `@@locale` becomes the target language.
 */
export const arb = textFormat(async function* readArb(text, edit) {
  const bundle = parseJson(text);
  if (!isJsonObject(bundle)) throw new ExtractionFailed('malformed');
  const unitOf = stringUnits(text);
  for (const { start, end, depth, key } of stringValues(text)) {
    if (depth === 1 && key === '@@locale') {
      const language = JSON.stringify(edit.targetLanguage.replaceAll('-', '_'));
      if (language !== text.slice(start, end)) yield { start, end, text: language };
    }
    if (depth > 1 || key.startsWith('@')) continue;
    const found = unitOf({ start, end });
    const unit = found && { ...found, unit: withContext(found.unit, descriptionOf(bundle, key)) };
    const splice = unit && (await replaceUnit(unit, edit));
    if (splice) yield splice;
  }
});

function descriptionOf(bundle: JsonObject, key: string): string | undefined {
  const about = bundle[`@${key}`];
  const description = isJsonObject(about) ? about['description'] : undefined;
  return typeof description === 'string' ? description : undefined;
}
