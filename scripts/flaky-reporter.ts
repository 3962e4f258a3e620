import type { Reporter } from 'vitest/node';

/** Lists the tests that passed only after a retry. They do not fail the run on a busy machine, but need a fix. */
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
