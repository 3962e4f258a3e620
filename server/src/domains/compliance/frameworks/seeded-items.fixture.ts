import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';
import { resetFrameworks, type SeededFramework } from '../../../architecture/framework.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed extends SeededFramework {}
}

/** `resetFrameworks` restores it, because the server cannot delete mappings. */
export const seededItems: SeededItems = {
  create: async (server, seed) => {
    const frameworkId = newId();
    await resetFrameworks(server, { ...seed, frameworkId });
    return { frameworkId };
  },
  restore: () => Promise.resolve(),
};
