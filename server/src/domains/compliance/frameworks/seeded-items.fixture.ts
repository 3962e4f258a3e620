import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';
import type { SeededFramework } from '../../../architecture/framework.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed extends SeededFramework {}
}

/** Names the framework; `resetFrameworks` creates and restores it, because the server cannot delete mappings. */
export const seededItems: SeededItems = {
  create: () => ({ frameworkId: newId() }),
  restore: () => Promise.resolve(),
};
