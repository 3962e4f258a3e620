import { domainsPath, type Mutation, mutation } from '../guard.ts';

const tests = 'domains/compliance/access-reviews/routes.test.ts';
const commands = `${domainsPath}/compliance/access-reviews/commands.ts`;

export const accessReviewGuards: readonly Mutation[] = [
  mutation(
    'Nobody reviews their own access',
    commands,
    'if (await isAboutSelf(tx, actor, lines)) {',
    'if (lines.length === 0) {',
    tests,
  ),
  mutation(
    'What is signed stays as it is',
    commands,
    "if (lines.some(({ covered }) => covered)) throw Conflict('This decision is signed and cannot be changed.');\n",
    '',
    tests,
  ),
  mutation(
    'A role is said to be changed only where it was',
    commands,
    "if (decision === 'changed' && same.length > 0) {",
    "if (decision === 'changed' && same.length > lines.length) {",
    tests,
  ),
  mutation(
    'A review is signed once every line is decided',
    commands,
    "    if (review.state === 'open') throw Conflict('Decisions are pending. Decide on all members, then sign.');\n",
    '',
    tests,
  ),
  mutation(
    'A review opens once for a quarter',
    `${domainsPath}/compliance/access-reviews/open.ts`,
    "  await tx.db.selectFrom('organization').select('id').where('id', '=', orgId).forNoKeyUpdate().execute();\n",
    '',
    tests,
  ),
];
