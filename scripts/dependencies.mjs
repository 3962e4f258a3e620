import { registerHooks } from 'node:module';

// dependency-cruiser reads TypeScript with the compiler API, which TypeScript 7 does not have: for dependency-cruiser
// only, `typescript` resolves to the last version with that API.
registerHooks({
  resolve: (specifier, context, next) => next(specifier.replace(/^typescript(?=\/|$)/, 'typescript5'), context),
});

await import('../node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
