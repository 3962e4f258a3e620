import { domains, type Guard, guard, matrix, test } from '../guard.ts';

const folder = `${domains}/compliance/changes`;
const pushes = test('compliance/changes', 'pushes');
const world = test('compliance/changes', 'changes');
const notes = test('compliance/changes/attribution', 'git-ai');
const beside = test('compliance/changes', 'beside');

export const changesGuards: readonly Guard[] = [
  guard(
    'A note attributes no file outside of the repository',
    `${folder}/attribution/attributed.ts`,
    "!path.startsWith('/')",
    "path !== '/'",
    notes,
  ),
  guard(
    'What strangers write into notes holds no control characters',
    `${folder}/attribution/attributed.ts`,
    "replaceAll(/\\p{Cc}/gu, '')",
    "replaceAll('x', 'x')",
    notes,
  ),
  guard(
    'The number of line ranges of a change is bounded',
    `${folder}/attribution/read.ts`,
    'if (left <= 0) return [];\n    const lines = one.lines.slice(0, left);',
    'const lines = one.lines;',
    test('compliance/changes/attribution', 'read'),
  ),
  guard(
    'A trace of the commit before is no declaration',
    `${folder}/attribution/agent-trace.ts`,
    "addRecord(attributed, { reading, record: read, commit, confidence: 'inferred' })",
    "addRecord(attributed, reading, read, commit, 'declared')",
    test('compliance/changes/attribution', 'agent-trace'),
  ),
  guard(
    'The address of a conversation is not kept',
    `${folder}/attribution/agent-trace.ts`,
    "sha256(url).toString('hex').slice(0, 14)",
    'url',
    test('compliance/changes/attribution', 'agent-trace'),
  ),
  guard(
    'That an agent wrote the lines of a finding is said only where the scanner looked at the commit that brought them',
    `${domains}/sources/attribution/queries.ts`,
    'const isAsOf = seenAt === commit && line !== null;',
    'const isAsOf = line !== null;',
    beside,
  ),
  guard(
    'A contributor lists the changes that name them and no others',
    `${folder}/list.ts`,
    "actor.reach('read:events') !== 'all'",
    'false',
    `${test('compliance/changes')} > named in them`,
    matrix('GET /v2/changes/:id'),
  ),
  guard(
    'Changes are shown of repositories that the reader sees',
    `${folder}/list.ts`,
    "    .where('c.org_id', '=', actor.orgId)\n    .where('c.repository_id', 'in', visibleTo(tx, actor).select('repository.id'))\n",
    "    .where('c.org_id', '=', actor.orgId)\n",
    `${test('compliance/changes')} > repositories they see`,
  ),
  guard(
    'A push that begins where none ended shows that one was lost',
    `${folder}/pushes.ts`,
    '  const lost = same ? undefined : await gapBefore(tx, orgId, repositoryId, push);\n',
    '  const lost: Awaited<ReturnType<typeof gapBefore>> = undefined;\n',
    pushes,
  ),
  guard(
    'What was lost is recovered only once known pushes cover it',
    `${folder}/pushes.ts`,
    '    if (!isGapCovered(row, rows, start)) continue;\n',
    '',
    pushes,
  ),
  guard(
    'A push that was told whole is not told again',
    `${folder}/pushes.ts`,
    '  if (!completeness) return;\n  const lost',
    '  const lost',
    pushes,
  ),
  guard(
    'Only pushes to branches in scope are written down',
    `${folder}/pushes.ts`,
    ' || !(await isRecordedBranch(tx, orgId, push.branch, defaultBranch))',
    '',
    pushes,
  ),
  guard(
    'A part that was known is not lost because a host tells it no more',
    `${folder}/records.ts`,
    'rank[was.state] > rank[source.state]',
    'false',
    `${world} > never drops known parts`,
  ),
  guard(
    'A change names the code host, the connection and the id of the repository',
    `${folder}/records.ts`,
    '      origin,\n',
    '',
    `${world} > records a merge with authors`,
  ),
  guard(
    'A record that says what the last one does is no version',
    `${folder}/records.ts`,
    '  if (last && contentOf(resolved) === contentOf({ ...last, mergeSha: last.merge_sha })) return sources;\n',
    '',
    `${world} > never drops known parts`,
  ),
  guard(
    'Nobody is taken for a stranger whom nobody can name',
    `${folder}/reviews.ts`,
    'q.person is not null and ',
    '',
    'architecture/planted.test.ts > CHG-01',
  ),
  guard(
    'Another account under the same login is another person',
    'server/src/core/people.ts',
    "set value = i.value || ' ' || i.host_id from",
    'set host_id = n.host_id from',
    'core/people.test.ts',
  ),
  guard(
    'An account stays the same person under another login',
    'server/src/core/people.ts',
    'known.get(keyOf(name)) ?? former.get(keyOf(name))',
    'known.get(keyOf(name))',
    'core/people.test.ts',
  ),
  guard(
    'The record of a change commits to the accounts of those who had a part in it',
    'server/src/domains/compliance/changes/records.ts',
    'createLedgerEntry(fact, key, personal)',
    'createLedgerEntry(fact, key, [])',
    'domains/compliance/changes/changes.test.ts',
  ),
];
