import { architectureTest, type Mutation, mutation } from '../guard.ts';

const release = 'scripts/release';
const releaseTests = architectureTest('release');

export const releaseGuards: readonly Mutation[] = [
  mutation(
    'fails a release with an unassessed advisory',
    `${release}/vex.ts`,
    'unassessed.length > 0',
    'unassessed.length > 9',
    releaseTests,
  ),
  mutation(
    'applies an assessment only to its package',
    `${release}/vex.ts`,
    'one.id === id && one.packageName === packageName',
    'one.id === id',
    releaseTests,
  ),
  mutation(
    'requires a justification for packages that are not affected',
    `${release}/vex.ts`,
    "state === 'not_affected' && justification === undefined",
    'state === undefined',
    releaseTests,
  ),
  mutation(
    'fails when the registry returns no list of advisories',
    `${release}/advisories.ts`,
    'answer?.vulnerabilities === undefined',
    'answer === null',
    releaseTests,
  ),
  mutation(
    'signs the payload type of provenance',
    `${release}/provenance.ts`,
    "const payloadType = 'application/vnd.in-toto+json';",
    "const payloadType = 'text/plain';",
    releaseTests,
  ),
];
