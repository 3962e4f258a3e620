import { registerHooks } from 'node:module';

// dependency-cruiser reads TypeScript with the compiler's old programming interface, which TypeScript 7 no longer has:
// for it alone, `typescript` is the last version that has one.
registerHooks({
  resolve: (specifier, context, next) => next(specifier.replace(/^typescript(?=\/|$)/, 'typescript5'), context),
});

await import('../node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
