import type { MarkedToken } from '../protection/marker-notation.js';
import type { ProtectedUnit } from '../protection/protected-unit.js';

/** What a marker that stands alone stands for; undefined where that is no text. */
export function markerText(
  { markers }: Pick<ProtectedUnit, 'markers'>,
  token: MarkedToken | undefined,
): string | undefined {
  const marker = token?.kind === 'single' ? markers.get(token.number) : undefined;
  return marker?.kind === 'single' && marker.content.kind === 'text' ? marker.content.text : undefined;
}
