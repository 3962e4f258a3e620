import { accessMatrixTest, domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const folder = `${domainsPath}/compliance/changes`;
const pushes = domainTest('compliance/changes', 'pushes');
const world = domainTest('compliance/changes', 'changes');
const notes = domainTest('compliance/changes/attribution', 'git-ai');
const beside = domainTest('compliance/changes', 'beside');

export const changesGuards: readonly Mutation[] = [
  mutation(
    'A note attributes no file outside of the repository',
    `${folder}/attribution/attribution-claim.ts`,
    "!path.startsWith('/')",
    "path !== '/'",
    notes,
  ),
  mutation(
    'What strangers write into notes holds no control characters',
    `${folder}/attribution/attribution-claim.ts`,
    "replaceAll(/\\p{Cc}/gu, '')",
    "replaceAll('x', 'x')",
    notes,
  ),
  mutation(
    'The number of line ranges of a change is bounded',
    `${folder}/attribution/read.ts`,
    'if (left <= 0) return [];\n    const lines = one.lines.slice(0, left);',
    'const lines = one.lines;',
    domainTest('compliance/changes/attribution', 'read'),
  ),
  mutation(
    'A trace of the commit before is no declaration',
    `${folder}/attribution/agent-trace.ts`,
    "addRecord(attributed, { reading, record: read, commit, confidence: 'inferred' })",
    "addRecord(attributed, reading, read, commit, 'declared')",
    domainTest('compliance/changes/attribution', 'agent-trace'),
  ),
  mutation(
    'The address of a conversation is not kept',
    `${folder}/attribution/agent-trace.ts`,
    "sha256(url).toString('hex').slice(0, 14)",
    'url',
    domainTest('compliance/changes/attribution', 'agent-trace'),
  ),
  mutation(
    'That an agent wrote the lines of a finding is said only where the scanner looked at the commit that brought them',
    `${domainsPath}/sources/attribution/queries.ts`,
    'const isAsOf = seenAt === commit && line !== null;',
    'const isAsOf = line !== null;',
    beside,
  ),
  mutation(
    'A contributor lists the changes that name them and no others',
    `${folder}/list.ts`,
    "actor.reach('read:events') !== 'all'",
    'false',
    `${domainTest('compliance/changes')} > named in them`,
    accessMatrixTest('GET /v2/changes/:id'),
  ),
  mutation(
    'Changes are shown of repositories that the reader sees',
    `${folder}/list.ts`,
    "    .where('c.org_id', '=', actor.orgId)\n    .where('c.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id'))\n",
    "    .where('c.org_id', '=', actor.orgId)\n",
    `${domainTest('compliance/changes')} > repositories they see`,
  ),
  mutation(
    'A push that begins where none ended shows that one was lost',
    `${folder}/pushes.ts`,
    '  const lost = same ? undefined : await gapBefore(tx, orgId, repositoryId, push);\n',
    '  const lost: Awaited<ReturnType<typeof gapBefore>> = undefined;\n',
    pushes,
  ),
  mutation(
    'What was lost is recovered only once known pushes cover it',
    `${folder}/pushes.ts`,
    '    if (!isGapCovered(row, rows, start)) continue;\n',
    '',
    pushes,
  ),
  mutation(
    'A push that was told whole is not told again',
    `${folder}/pushes.ts`,
    '  if (!completeness) return;\n  const lost',
    '  const lost',
    pushes,
  ),
  mutation(
    'Only pushes to branches in scope are written down',
    `${folder}/pushes.ts`,
    ' || !(await isRecordedBranch(tx, orgId, push.branch, defaultBranch))',
    '',
    pushes,
  ),
  mutation(
    'A part that was known is not lost because a host tells it no more',
    `${folder}/records.ts`,
    'rank[was.state] > rank[source.state]',
    'false',
    `${world} > never drops known parts`,
  ),
  mutation(
    'A change names the code host, the connection and the id of the repository',
    `${folder}/records.ts`,
    '      origin,\n',
    '',
    `${world} > records a merge with authors`,
  ),
  mutation(
    'A record that says what the last one does is no version',
    `${folder}/records.ts`,
    '  if (last && contentOf(resolved) === contentOf({ ...last, mergeSha: last.merge_sha })) return sources;\n',
    '',
    `${world} > never drops known parts`,
  ),
  mutation(
    'Nobody is taken for a stranger whom nobody can name',
    `${folder}/reviews.ts`,
    'q.person is not null and ',
    '',
    'architecture/planted.test.ts > CHG-01',
  ),
  mutation(
    'Another account under the same login is another person',
    'server/src/core/people.ts',
    "set value = i.value || ' ' || i.host_id from",
    'set host_id = n.host_id from',
    'core/people.test.ts',
  ),
  mutation(
    'An account stays the same person under another login',
    'server/src/core/people.ts',
    'known.get(keyOf(name)) ?? former.get(keyOf(name))',
    'known.get(keyOf(name))',
    'core/people.test.ts',
  ),
  mutation(
    'The record of a change commits to the accounts of those who had a part in it',
    'server/src/domains/compliance/changes/records.ts',
    'createLedgerEntry(fact, key, personal)',
    'createLedgerEntry(fact, key, [])',
    'domains/compliance/changes/changes.test.ts',
  ),
];
