import { domains, type Guard, guard } from '../guard.ts';

const tests = 'domains/compliance/access-reviews/routes.test.ts';
const commands = `${domains}/compliance/access-reviews/commands.ts`;

export const accessReviewGuards: readonly Guard[] = [
  guard(
    'Nobody reviews their own access',
    commands,
    'if (await isAboutSelf(tx, actor, lines)) {',
    'if (lines.length === 0) {',
    tests,
  ),
  guard(
    'What is signed stays as it is',
    commands,
    "if (lines.some(({ covered }) => covered)) throw Conflict('This decision is signed and cannot be changed.');\n",
    '',
    tests,
  ),
  guard(
    'A role is said to be changed only where it was',
    commands,
    "if (decision === 'changed' && same.length > 0) {",
    "if (decision === 'changed' && same.length > lines.length) {",
    tests,
  ),
  guard(
    'A review is signed once every line is decided',
    commands,
    "    if (review.state === 'open') throw Conflict('Decisions are pending. Decide on all members, then sign.');\n",
    '',
    tests,
  ),
  guard(
    'A review opens once for a quarter',
    `${domains}/compliance/access-reviews/open.ts`,
    "  await tx.db.selectFrom('organization').select('id').where('id', '=', orgId).forNoKeyUpdate().execute();\n",
    '',
    tests,
  ),
];
