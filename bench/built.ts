/**
 * Loads a module of the built server. What tsx compiles calls a function for each arrow function that is made, which takes
 * longer than many of them do.
 * @param path in `dist`
 */
export async function builtModule<Module>(path: string): Promise<Module> {
  return (await import(new URL(`../dist/${path}`, import.meta.url).href)) as Module;
}
