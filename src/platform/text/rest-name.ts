/** The REST name of a field of the graph, such as `applies_to` of `appliesTo`. */
export function toRestName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
