import type { Reporter } from 'vitest/node';

/** Names at the end what passed only when it was tried again: on a busy machine that is no failure, and it is to be mended all the same. */
export const flakyReporter: Reporter = {
  onTestRunEnd(modules) {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `${module.relativeModuleId} > ${test.fullName}`),
    );
    if (flaky.length > 0) console.log(`  ${flaky.length} flaky\n${flaky.map((name) => `    ${name}`).join('\n')}\n`);
  },
};
