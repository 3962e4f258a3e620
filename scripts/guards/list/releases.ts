import { architectureTest, type Mutation, mutation } from '../guard.ts';

const release = 'scripts/release';
const releaseTests = architectureTest('release');

export const releaseGuards: readonly Mutation[] = [
  mutation(
    'A release with an unassessed advisory fails',
    `${release}/vex.ts`,
    'unassessed.length > 0',
    'unassessed.length > 9',
    releaseTests,
  ),
  mutation(
    'An assessment counts for its own package',
    `${release}/vex.ts`,
    'one.id === id && one.packageName === packageName',
    'one.id === id',
    releaseTests,
  ),
  mutation(
    'A package that is not affected has a justification',
    `${release}/vex.ts`,
    "state === 'not_affected' && justification === undefined",
    'state === undefined',
    releaseTests,
  ),
  mutation(
    'A registry that does not answer is not a registry without advisories',
    `${release}/advisories.ts`,
    'answer?.vulnerabilities === undefined',
    'answer === null',
    releaseTests,
  ),
  mutation(
    'The signature covers the type of the payload',
    `${release}/provenance.ts`,
    "const payloadType = 'application/vnd.in-toto+json';",
    "const payloadType = 'text/plain';",
    releaseTests,
  ),
];
