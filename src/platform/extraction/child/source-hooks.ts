/**
 * Lets Node run a child from the sources, where the types are stripped and a file that is imported as `.js` is a `.ts`
 * one. Loaded with --import, and only there; so it imports nothing local.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) => {
    const isLocal = specifier.startsWith('.') && context.parentURL?.endsWith('.ts') === true;
    return next(isLocal ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
