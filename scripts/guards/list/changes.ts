import { accessMatrixTest, domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const folder = `${domainsPath}/compliance/changes`;
const pushes = domainTest('compliance/changes', 'pushes');
const world = domainTest('compliance/changes', 'changes');
const notes = domainTest('compliance/changes/attribution', 'git-ai');
const beside = domainTest('compliance/changes', 'beside');

export const changesGuards: readonly Mutation[] = [
  mutation(
    'ignores files outside of the repository in attribution notes',
    `${folder}/attribution/attribution-claim.ts`,
    "!path.startsWith('/')",
    "path !== '/'",
    notes,
  ),
  mutation(
    'removes control characters from attribution notes',
    `${folder}/attribution/attribution-claim.ts`,
    "replaceAll(/\\p{Cc}/gu, '')",
    "replaceAll('x', 'x')",
    notes,
  ),
  mutation(
    'limits the number of line ranges of a change',
    `${folder}/attribution/read.ts`,
    'if (left <= 0) return [];\n    const lines = one.lines.slice(0, left);',
    'const lines = one.lines;',
    domainTest('compliance/changes/attribution', 'read'),
  ),
  mutation(
    'infers lines of a rewritten commit that changes something else',
    `${folder}/attribution/rewritten.ts`,
    "isSameChange(before, changed) ? 'declared' : 'inferred'",
    "isSameChange(before, before) ? 'declared' : 'inferred'",
    domainTest('compliance/changes/attribution', 'rewritten'),
  ),
  mutation(
    'carries only lines with the same text over to a rewritten commit',
    `${folder}/attribution/rewritten.ts`,
    'if (old && now && old.text === now.text) {',
    'if (old && now) {',
    domainTest('compliance/changes/attribution', 'rewritten'),
  ),
  mutation(
    'treats an agent trace of the parent commit as inferred',
    `${folder}/attribution/agent-trace.ts`,
    "addRecord(attributed, { reading, record: read, commit, confidence: 'inferred' })",
    "addRecord(attributed, { reading, record: read, commit, confidence: 'declared' })",
    domainTest('compliance/changes/attribution', 'agent-trace'),
  ),
  mutation(
    'does not store conversation URLs',
    `${folder}/attribution/agent-trace.ts`,
    "sha256(url).toString('hex').slice(0, 14)",
    'url',
    domainTest('compliance/changes/attribution', 'agent-trace'),
  ),
  mutation(
    'attributes a finding to an agent only if the scan saw the commit of the line',
    `${domainsPath}/sources/attribution/queries.ts`,
    'const isAsOf = seenAt === commit && line !== null;',
    'const isAsOf = line !== null;',
    beside,
  ),
  mutation(
    'lists only changes that name the contributor',
    `${folder}/list.ts`,
    "actor.reach('read:events') !== 'all'",
    'false',
    `${domainTest('compliance/changes')} > named in them`,
    accessMatrixTest('GET /v2/changes/:id'),
  ),
  mutation(
    'restricts changes to repositories that the reader can see',
    `${folder}/list.ts`,
    "    .where('c.org_id', '=', actor.orgId)\n    .where('c.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id'))\n",
    "    .where('c.org_id', '=', actor.orgId)\n",
    `${domainTest('compliance/changes')} > repositories they see`,
  ),
  mutation(
    'detects a lost push by a gap between pushes',
    `${folder}/pushes.ts`,
    '  const lost = same ? undefined : await gapBefore(tx, orgId, repositoryId, push);\n',
    '  const lost: Awaited<ReturnType<typeof gapBefore>> = undefined;\n',
    pushes,
  ),
  mutation(
    'marks a lost push as recovered only when complete pushes cover the gap',
    `${folder}/pushes.ts`,
    '    if (!isGapCovered(row, rows, start)) continue;\n',
    '',
    pushes,
  ),
  mutation(
    'records a complete push once',
    `${folder}/pushes.ts`,
    '  if (!completeness) return;\n  const lost',
    '  const lost',
    pushes,
  ),
  mutation(
    'records only pushes to branches in scope',
    `${folder}/pushes.ts`,
    ' || !(await isRecordedBranch(tx, orgId, push.branch, defaultBranch))',
    '',
    pushes,
  ),
  mutation(
    'keeps complete parts of a change when the host no longer reports them',
    `${folder}/records.ts`,
    'rank[was.state] > rank[source.state]',
    'false',
    `${world} > never drops known parts`,
  ),
  mutation(
    'records code host, connection and repository ID with a change',
    `${folder}/records.ts`,
    '      origin,\n',
    '',
    `${world} > records a merge with authors`,
  ),
  mutation(
    'creates no new version of an unchanged record',
    `${folder}/records.ts`,
    '  if (last && contentOf(resolved) === contentOf({ ...last, mergeSha: last.merge_sha })) return sources;\n',
    '',
    `${world} > never drops known parts`,
  ),
  mutation(
    'does not report unresolved reviewers as non-members',
    `${folder}/reviews.ts`,
    'q.person is not null and ',
    '',
    'architecture/planted.test.ts > CHG-01',
  ),
  mutation(
    'distinguishes accounts that used the same login',
    'server/src/core/people.ts',
    "set value = i.value || ' ' || i.host_id from",
    'set host_id = n.host_id from',
    'core/people.test.ts',
  ),
  mutation(
    'keeps the person of an account with a changed login',
    'server/src/core/people.ts',
    'known.get(keyOf(name)) ?? former.get(keyOf(name))',
    'known.get(keyOf(name))',
    'core/people.test.ts',
  ),
  mutation(
    'commits to the accounts of all contributors in the ledger entry of a change',
    'server/src/domains/compliance/changes/records.ts',
    'createLedgerEntry(fact, key, personal)',
    'createLedgerEntry(fact, key, [])',
    'domains/compliance/changes/changes.test.ts',
  ),
];
