import { domainsPath, type Mutation, mutation } from '../guard.ts';

const tests = 'domains/compliance/access-reviews/routes.test.ts';
const commands = `${domainsPath}/compliance/access-reviews/commands.ts`;

export const accessReviewGuards: readonly Mutation[] = [
  mutation(
    "rejects reviews of the reviewer's own access",
    commands,
    'if (await isAboutSelf(tx, actor, lines)) {',
    'if (lines.length === 0) {',
    tests,
  ),
  mutation(
    'rejects changes to signed decisions',
    commands,
    "if (lines.some(({ covered }) => covered)) throw Conflict('This decision is signed and cannot be changed.');\n",
    '',
    tests,
  ),
  mutation(
    'rejects the decision "changed" for an unchanged role',
    commands,
    "if (decision === 'changed' && same.length > 0) {",
    "if (decision === 'changed' && same.length > lines.length) {",
    tests,
  ),
  mutation(
    'rejects signing a review with pending decisions',
    commands,
    "    if (review.state === 'open') throw Conflict('Decisions are pending. Decide on all members and access, then sign.');\n",
    '',
    tests,
  ),
  mutation(
    'opens one review per quarter',
    `${domainsPath}/compliance/access-reviews/open-review.ts`,
    "  await tx.db.selectFrom('organization').select('id').where('id', '=', orgId).forNoKeyUpdate().execute();\n",
    '',
    tests,
  ),
];
