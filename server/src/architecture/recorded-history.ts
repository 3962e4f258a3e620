import {
  createPolicy,
  deletePolicy,
  listPolicies,
  type PolicyDetail,
  type PolicyOutcome,
  restorePolicy,
  updatePolicy,
} from '@sightline/contract/compliance/policies.ts';
import { decidePolicyChange, listPolicyChanges } from '@sightline/contract/compliance/policy-changes.ts';
import {
  changeMemberRole,
  deactivateMember,
  deleteMember,
  listMembers,
  reinstateMember,
} from '@sightline/contract/organization/members.ts';
import { editFindings } from '@sightline/contract/vulnerabilities/finding-edits.ts';
import { getFinding, listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import {
  dismissFindings,
  mergeFindings,
  reopenFindings,
  splitFinding,
} from '@sightline/contract/vulnerabilities/triage.ts';
import { decideWaiver, requestFindingWaivers, withdrawWaiver } from '@sightline/contract/vulnerabilities/waivers.ts';
import { createRandom, type Random } from '@sightline/sandbox/planted/random.ts';
import { newId } from '#core/ids.ts';
import { createScanResult, createTestRepository, createTestScanner } from '#testing/findings.ts';
import type { TestAccount, TestOrganization, TestServer } from '#testing/server.ts';
import type { SourcedParts } from '../domains/compliance/changes/merges.ts';
import { addChangeVersion } from '../domains/compliance/changes/records.ts';
import { findRecordedRepository, type RecordedRepository } from '../domains/compliance/changes/scope.ts';
import { recordSightings } from '../domains/tools/tools/record-sightings.ts';

/** An organization whose lists change at random. */
export interface RecordedHistory {
  server: TestServer;
  org: TestOrganization;
  random: Random;
  second: TestAccount;
  places: readonly RecordedRepository[];
  scanners: readonly Awaited<ReturnType<typeof createTestScanner>>[];
  /** Versions by the ID of a change. */
  changes: Map<string, { place: RecordedRepository; number: number | null; mergedAt: string }>;
  /** The day of the last sighting. Each sighting is on a later one, since the ledger records one a day. */
  day: number;
  /** The number of changes. */
  turn: number;
}

const DAY_MS = 86_400_000;

export async function startRecordedHistory(server: TestServer, seed: number): Promise<RecordedHistory> {
  const org = await server.make.organization('Recorded');
  const second = await server.make.member(org.id, 'rol_owner');
  const repositories = [await createTestRepository(server, org), await createTestRepository(server, org)];
  const places = [];
  for (const id of repositories) {
    const place = await findRecordedRepository(server.services, org.id, id);
    if (!place) throw new Error('The repository is not enabled');
    places.push(place);
  }
  const scanners = [];
  for (const id of repositories) scanners.push(await createTestScanner(server, org, id));
  const day = Date.now() - 400 * DAY_MS;
  return { server, org, random: createRandom(seed), second, places, scanners, changes: new Map(), day, turn: 0 };
}

type ListChange = (history: RecordedHistory) => Promise<unknown>;

/** Changes one list after the other: first each kind of change in order, so that all occur, then kinds at random. */
export async function changeAList(history: RecordedHistory): Promise<void> {
  const list = turns[history.turn % turns.length] ?? 'findings';
  const earlier = Array.from({ length: history.turn }, (_, turn) => turns[turn % turns.length]);
  const nth = earlier.filter((name) => name === list).length;
  history.turn += 1;
  await (listChanges[list][nth] ?? history.random.pick<ListChange>(listChanges[list]))(history);
}

const owner = ({ server, org }: RecordedHistory) => server.as(org.owner, org.id);
const secondOwner = ({ server, org, second }: RecordedHistory) => server.as(second, org.id);

const roles = ['rol_owner', 'rol_contributor', 'rol_reviewer'] as const;

async function otherMember(history: RecordedHistory, statuses: readonly string[]) {
  const { rows } = await owner(history)(listMembers, { query: { perPage: 100 } });
  const { org, second, random } = history;
  const others = rows.filter(({ id, status }) => ![org.owner.id, second.id].includes(id) && statuses.includes(status));
  return others.length === 0 ? undefined : random.pick(others);
}

const memberChanges: ListChange[] = [
  ({ server, org, random }) => server.make.member(org.id, random.pick([...roles, 'rol_auditor'])),
  async (history) => {
    const member = await otherMember(history, ['active']);
    const oldRole = member?.role?.id;
    if (!member || oldRole === undefined) return;
    const newRole = history.random.pick(roles.filter((role) => role !== oldRole));
    await owner(history)(changeMemberRole, { params: { userId: member.id }, body: { oldRole, newRole } });
  },
  async (history) => {
    const member = await otherMember(history, ['active']);
    if (member) await owner(history)(deactivateMember, { params: { userId: member.id } });
  },
  async (history) => {
    const member = await otherMember(history, ['deactivated']);
    if (member) await owner(history)(reinstateMember, { params: { userId: member.id } });
  },
  async (history) => {
    const member = await otherMember(history, ['active', 'deactivated']);
    if (member) await owner(history)(deleteMember, { params: { userId: member.id } });
  },
];

function draftOf({ random }: RecordedHistory) {
  const name = `Policy ${random.below(1000)}`;
  const scope = { repositories: null, branches: [], tools: [] };
  const mode = random.pick(['observe', 'warn'] as const);
  if (random.below(2) === 0) {
    const limits = { critical: 1 + random.below(20), high: 1 + random.below(60) };
    return { name, mode, kind: 'sla' as const, scope, settings: { 'VUL-01': limits } };
  }
  const tools = [{ id: random.pick(toolIds), versions: random.pick([null, ['1.*']]) }];
  return {
    name,
    mode,
    kind: random.pick(['tool-allow', 'tool-deny'] as const),
    scope: { ...scope, tools },
    settings: {},
  };
}

async function anyPolicy(history: RecordedHistory, state: 'held' | 'ended') {
  const { rows } = await owner(history)(listPolicies, { query: { state, perPage: 100 } });
  const free = rows.filter(({ hasPendingChange }) => !hasPendingChange);
  return free.length === 0 ? undefined : history.random.pick(free);
}

/** Leaves half of the changes that weaken a control pending, and approves the others. */
async function decideHalf(history: RecordedHistory, { pendingChange }: PolicyOutcome): Promise<void> {
  if (!pendingChange || history.random.below(2) === 0) return;
  await decide(history, pendingChange.id, true);
}

const decide = (history: RecordedHistory, changeId: string, approve: boolean) =>
  secondOwner(history)(decidePolicyChange, {
    params: { changeId },
    body: { approve, reason: 'Agreed in the review.' },
  });

const policyChanges: ListChange[] = [
  async (history) => decideHalf(history, await owner(history)(createPolicy, { body: draftOf(history) })),
  async (history) => decideHalf(history, await owner(history)(createPolicy, { body: draftOf(history) })),
  async (history) => {
    const policy = await anyPolicy(history, 'held');
    if (!policy) return;
    const { id: policyId, version, kind, scope, settings, mode } = policy satisfies Partial<PolicyDetail>;
    const body = { name: `Policy ${history.random.below(1000)}`, kind, scope, settings, mode, version };
    await decideHalf(history, await owner(history)(updatePolicy, { params: { policyId }, body }));
  },
  async (history) => {
    const policy = await anyPolicy(history, 'held');
    if (policy) await decideHalf(history, await owner(history)(deletePolicy, { params: { policyId: policy.id } }));
  },
  async (history) => {
    const policy = await anyPolicy(history, 'ended');
    if (policy) await decideHalf(history, await owner(history)(restorePolicy, { params: { policyId: policy.id } }));
  },
  async (history) => {
    const { rows } = await owner(history)(listPolicyChanges, {});
    if (rows.length > 0) await decide(history, history.random.pick(rows).id, history.random.below(3) > 0);
  },
];

const toolIds = ['action:acme/build', 'action:acme/deploy', 'github.copilot', 'cursor'];

const toolChanges: ListChange[] = [
  async (history) => {
    const { server, org, random, places } = history;
    history.day += DAY_MS;
    const id = random.pick(toolIds);
    const isBuild = id.startsWith('action:');
    const [at, version] = [new Date(history.day), random.pick(['1.0', '1.2', '2.0', null])];
    const entry = { id, name: id, vendor: null, icon: null, kind: 'cli' as const, categories: ['Build'] as const };
    const personId = await server.personOf(org.id, random.pick([org.owner, history.second]));
    const repositoryId = random.pick(places).repositoryId;
    await server.services.database.withOrg(org.id, (tx) =>
      recordSightings(tx, org.id, [
        isBuild
          ? { tab: 'ci/cd', entry, repositoryId, source: 'github-actions', version, at }
          : { tab: 'developer', entry, personId, source: 'vscode', program: 'vscode', version, at },
      ]),
    );
  },
];

const scannedLines = (random: Random) =>
  Array.from({ length: random.below(6) }, () =>
    createScanResult({
      path: random.pick(['a.ts', 'b.ts', 'lib/a.ts']),
      ruleId: random.pick(['one', 'two', 'three']),
      title: random.pick(['Injection', 'Redirect']),
      content: random.pick(['x', 'y', null]),
      line: random.pick([1, 3, 8, 9, 30]),
      state: random.pick(['open', 'open', 'open', 'suppressed', 'fixed']),
      severity: random.pick(['critical', 'high', 'low']),
    }),
  );

async function anyFindings(history: RecordedHistory, status: ('open' | 'dismissed' | 'exception' | 'fixed')[]) {
  const { rows } = await owner(history)(listFindings, { query: { status, perPage: 100 } });
  return history.random.shuffle(rows);
}

const scan: ListChange = ({ random, scanners }) =>
  random.pick(scanners).send(scannedLines(random), {
    ref: random.pick(['refs/heads/main', 'refs/heads/next']),
    tool: random.pick([
      { key: 'codeql', name: 'CodeQL', version: null },
      { key: 'semgrep', name: 'Semgrep', version: null },
    ]),
    complete: random.below(4) > 0,
  });

const findingChanges: ListChange[] = [
  scan,
  scan,
  scan,
  async (history) => {
    const [finding] = await anyFindings(history, ['open']);
    if (finding)
      await owner(history)(dismissFindings, { body: { ids: [finding.id], reason: 'mitigated', comment: '' } });
  },
  async (history) => {
    const [finding] = await anyFindings(history, ['dismissed', 'exception']);
    if (finding) await owner(history)(reopenFindings, { body: { ids: [finding.id], comment: '' } });
  },
  async (history) => {
    const [finding] = await anyFindings(history, ['open']);
    if (!finding || finding.exception) return;
    const until = new Date(Date.now() + 30 * DAY_MS).toISOString();
    const body = { ids: [finding.id], reason: 'Mitigated by the proxy.', until };
    await owner(history)(requestFindingWaivers, { body });
  },
  async (history) => {
    const waived = (await anyFindings(history, ['open'])).find(({ exception }) => exception?.state === 'requested');
    if (!waived?.exception) return;
    const body = { approve: history.random.below(3) > 0, comment: 'Checked' };
    await secondOwner(history)(decideWaiver, { params: { waiverId: waived.exception.id }, body });
  },
  async (history) => {
    const waived = (await anyFindings(history, ['open', 'exception'])).find(({ exception }) => exception);
    if (waived?.exception) await owner(history)(withdrawWaiver, { params: { waiverId: waived.exception.id } });
  },
  async (history) => {
    const [into, ...others] = await anyFindings(history, ['open', 'dismissed', 'exception', 'fixed']);
    const other = others.find(({ repository }) => repository.id === into?.repository.id);
    if (!into || !other) return;
    await owner(history)(mergeFindings, { params: { findingId: into.id }, body: { ids: [other.id] } });
  },
  async (history) => {
    for (const { id: findingId } of await anyFindings(history, ['open', 'fixed'])) {
      const { sources } = await owner(history)(getFinding, { params: { findingId } });
      const [first] = sources;
      if (!first || sources.length < 2) continue;
      await owner(history)(splitFinding, { params: { findingId }, body: { sources: [first.id] } });
      return;
    }
  },
  async (history) => {
    const { random, org, second } = history;
    const [finding] = await anyFindings(history, ['open', 'fixed']);
    if (!finding) return;
    const edit = random.pick([
      { assigneeId: random.pick([org.owner.id, second.id, null]) },
      { ticketUrl: random.pick([`https://tracker.example/T-${random.below(50)}`, null]) },
      { addLabels: [random.pick(['backend', 'audit'])] },
      { removeLabels: finding.labels.slice(0, 1).length > 0 ? finding.labels.slice(0, 1) : ['backend'] },
    ]);
    await owner(history)(editFindings, { body: { findings: { ids: [finding.id] }, edit } });
  },
];

const part = <Value>(value: Value | undefined) => {
  const state = value === undefined ? 'missing' : 'complete';
  const source = { state, fetchedAt: '2026-03-01T12:00:00.000Z', reason: value === undefined ? 'permission' : null };
  return { known: value === undefined ? { state } : { state, value }, source };
};

function partsOf({ random }: RecordedHistory, author: string, reviewer: string): SourcedParts {
  const by = { kind: 'human', identity: 'resolved', person: author } as const;
  const review = {
    id: 'rev_1',
    by: { ...by, person: reviewer },
    verdict: 'approved',
    submittedAt: '2026-03-01T11:00:00.000Z',
    commit: { state: 'complete', value: 'b'.repeat(40) },
    dismissedAt: { state: 'complete', value: null },
    byActiveMember: { state: 'complete', value: true },
  };
  const empty = [
    'earlierPushers',
    'sessionOwners',
    'checks',
    'requiredChecks',
    'labels',
    'tickets',
    'ai',
    'agents',
    'pathMatches',
    'configuredServers',
  ];
  return {
    ...Object.fromEntries(empty.map((name) => [name, part([])])),
    unattestedCommits: part(0),
    unreviewedFiles: part(0),
    hostActivity: part('pull_request_merge' as const),
    linkedIssues: part(random.below(3)),
    changedLines: part(12),
    headSha: part('b'.repeat(40)),
    authors: part([by]),
    lastPusher: part(by),
    mergedBy: part(by),
    lastPushAt: part('2026-03-01T10:00:00.000Z'),
    sourceBranch: part('topic'),
    mergeRequestedBy: part(undefined),
    reviews: part(random.pick([{ value: [] }, { value: [review] }, { value: undefined }]).value),
  } as unknown as SourcedParts;
}

async function addVersion(history: RecordedHistory, id: string): Promise<void> {
  const { server, org, random, changes, places } = history;
  const isNew = !changes.has(id);
  const made = changes.get(id) ?? {
    place: random.pick(places),
    number: random.pick([null, 1000 + changes.size]),
    mergedAt: new Date(Date.now() - (400 - changes.size) * DAY_MS).toISOString(),
  };
  changes.set(id, made);
  const { place, number, mergedAt } = made;
  const persons = [await server.personOf(org.id, org.owner), await server.personOf(org.id, history.second)] as const;
  await server.services.database.withOrg(org.id, (tx) =>
    addChangeVersion(server.services, tx, place, {
      id,
      branch: 'main',
      mergeMethod: number === null ? 'direct_push' : random.pick(['pull_request', 'merge_queue'] as const),
      number,
      pushId: number === null ? id : null,
      mergedAt,
      mergeSha: id.replaceAll('-', '').padEnd(40, '0'),
      headSha: 'b'.repeat(40),
      parts: partsOf(history, ...persons),
      protectionId: null,
      cause: isNew ? 'merge' : 'review',
      author: null,
      title: null,
    }),
  );
}

const changeChanges: ListChange[] = [
  (history) => addVersion(history, newId()),
  (history) => addVersion(history, history.random.pick([newId(), ...history.changes.keys()])),
];

const listChanges = {
  members: memberChanges,
  tools: toolChanges,
  policies: policyChanges,
  findings: findingChanges,
  changes: changeChanges,
};
const turns = ['findings', 'members', 'findings', 'tools', 'policies', 'changes'] as const;
