import { createPersonalKey } from '@sightline/contract/identity/access-keys.ts';
import { changeRecordId, newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { createTestRepository } from '#testing/findings.ts';
import type { TestAccount, TestOrganization, TestServer } from '#testing/server.ts';
import type { HostCommit } from '../../../../providers/host-facts.ts';
import { type SentTelemetry, sendTelemetry } from '../../../tools/agent-sessions/testing/otlp.ts';
import { agentSharesOf, readAttributions } from '../attribution/read.ts';
import { saveAttributions } from '../attribution/save.ts';
import { complete, impliedPart, missing, partOf } from '../host-answer.ts';
import type { PartsWithoutAgents } from '../merges.ts';
import { addChangeVersion } from '../records.ts';
import { findRecordedRepository, type RecordedRepository } from '../scope.ts';
import { agentsPart } from './part.ts';
import { processDueSessions } from './process-due-sessions.ts';

const HOUR_MS = 3_600_000;

/** A member with a personal key for telemetry. */
interface Developer {
  account: TestAccount;
  person: string;
  key: string;
}

/** One merged pull request. */
export interface MadeChange {
  id: string;
  number: number;
  branch: string;
  sha: string;
  author: Developer;
  startedAt: Date;
  mergedAt: Date;
}

export interface ReconciliationScene {
  server: TestServer;
  org: TestOrganization;
  repositoryId: string;
  url: string;
  developers: Developer[];
  merge: (number: number, options?: MergeOptions) => Promise<MadeChange>;
  send: (change: MadeChange, options?: SessionOptions) => Promise<number>;
  /** Runs the job that joins queued sessions. */
  settle: (changesPerBatch?: number) => Promise<void>;
}

interface MergeOptions {
  /** The message of its commit; by default it declares Claude. */
  message?: string;
  author?: Developer;
  /** A git-ai note of its commit. */
  note?: string;
  /** Hours between merges of consecutive numbers. */
  spacing?: number;
}

interface SessionOptions {
  id?: string;
  key?: string;
  /** Null: the telemetry names none. */
  branch?: string | null;
  isInRepository?: boolean;
  cost?: number | null;
  at?: Date;
  attributes?: SentTelemetry['resource'];
}

export const claudeMessage = 'Change\n\nCo-authored-by: Claude <noreply@anthropic.com>';

/** An organization with a repository, developers with keys, and merged pull requests in the past two months. */
export async function createReconciliationScene(
  server: TestServer,
  developerCount: number,
): Promise<ReconciliationScene> {
  const org = await server.make.organization();
  const repositoryId = await createTestRepository(server, org);
  const place = await findRecordedRepository(server.services, org.id, repositoryId);
  if (!place) throw new Error('The repository is not enabled');
  const { html_url: url } = await server.services.database.withOrg(org.id, ({ db }) =>
    db.selectFrom('repository').select('html_url').where('org_id', '=', org.id).executeTakeFirstOrThrow(),
  );
  const developers: Developer[] = [];
  for (let index = 0; index < developerCount; index += 1) developers.push(await createDeveloper(server, org));
  const base = Date.now() - 60 * 24 * HOUR_MS;
  return {
    server,
    org,
    repositoryId,
    url,
    developers,
    merge: async (number, options = {}) => {
      const mergedAt = new Date(base + number * (options.spacing ?? 2) * HOUR_MS);
      const author = options.author ?? developers[number % developers.length];
      if (!author) throw new Error('The scene has no developers');
      const change: MadeChange = {
        id: changeRecordId(repositoryId, { number }),
        number,
        branch: `topic-${number}`,
        sha: number.toString(16).padStart(8, '0').padEnd(40, 'a'),
        author,
        startedAt: new Date(mergedAt.getTime() - HOUR_MS),
        mergedAt,
      };
      await recordMerge(server.services, place, change, options);
      return change;
    },
    send: async (change, options = {}) => {
      const { status } = await sendTelemetry(
        server.url,
        options.key ?? change.author.key,
        sessionOf(change, url, options),
      );
      return status;
    },
    settle: (changesPerBatch) => processDueSessions(server.services, org.id, changesPerBatch),
  };
}

export async function createDeveloper(server: TestServer, org: TestOrganization): Promise<Developer> {
  const account = await server.make.member(org.id, 'rol_contributor');
  const { key } = await server.as(account, org.id)(createPersonalKey, { body: { name: 'Laptop' } });
  return { account, person: await server.personOf(org.id, account), key };
}

/** One request of Claude Code between the first commit and the merge. */
function sessionOf(change: MadeChange, url: string, options: SessionOptions): SentTelemetry {
  const { branch = change.branch, isInRepository = true, cost = 0.5 } = options;
  const at = options.at ?? new Date(change.startedAt.getTime() + HOUR_MS / 2);
  return {
    signal: 'logs',
    resource: { 'service.name': 'claude-code' },
    records: [
      {
        name: 'claude_code.api_request',
        at: at.toISOString(),
        attributes: {
          'session.id': options.id ?? `session-${change.number}`,
          'event.sequence': 1,
          model: 'claude-sonnet-5',
          ...(cost !== null && { cost_usd: String(cost) }),
          ...(isInRepository && { 'vcs.repository.url.full': url }),
          ...(branch !== null && { 'vcs.ref.head.name': branch }),
        },
      },
      ...(options.attributes
        ? [
            {
              name: 'claude_code.tool_result',
              at: at.toISOString(),
              attributes: {
                'session.id': options.id ?? `session-${change.number}`,
                'event.sequence': 2,
                success: 'true',
                ...options.attributes,
              },
            },
          ]
        : []),
    ],
  };
}

async function recordMerge(
  services: Services,
  place: RecordedRepository,
  change: MadeChange,
  { message = claudeMessage, note }: MergeOptions,
): Promise<void> {
  const { orgId } = place;
  const { id, number, branch, sha, author } = change;
  const mergedAt = change.mergedAt.toISOString();
  const person = { name: author.account.name, email: author.account.email, login: null, avatarUrl: null };
  const commit: HostCommit = {
    sha,
    message,
    author: person,
    committer: person,
    authoredAt: change.startedAt.toISOString(),
    committedAt: change.startedAt.toISOString(),
    parents: ['0'.repeat(40)],
  };
  const agents = readAttributions([commit], {
    notes: { value: new Map(note === undefined ? [] : [[sha, note]]), at: mergedAt },
    traces: { value: '', at: mergedAt },
    previous: [],
    differences: new Map(),
  });
  const by = { kind: 'human', identity: 'resolved', person: author.person } as const;
  const parts: PartsWithoutAgents = {
    headSha: impliedPart(sha, mergedAt),
    authors: impliedPart([by], mergedAt),
    lastPusher: impliedPart(by, mergedAt),
    earlierPushers: impliedPart([], mergedAt),
    unattestedCommits: impliedPart(0, mergedAt),
    lastPushAt: impliedPart(change.startedAt.toISOString(), mergedAt),
    sessionOwners: impliedPart([], mergedAt),
    reviews: impliedPart([], mergedAt),
    unreviewedFiles: impliedPart(0, mergedAt),
    hostActivity: impliedPart('pull_request_merge', mergedAt),
    mergedBy: impliedPart(by, mergedAt),
    mergeRequestedBy: { known: missing, source: { state: 'complete', fetchedAt: mergedAt, reason: null } },
    checks: impliedPart([], mergedAt),
    requiredChecks: impliedPart([], mergedAt),
    sourceBranch: impliedPart(branch, mergedAt),
    labels: impliedPart([], mergedAt),
    tickets: impliedPart([], mergedAt),
    namedTickets: impliedPart([], mergedAt),
    linkedIssues: impliedPart(0, mergedAt),
    ai: partOf({ value: null, at: mergedAt }, complete(agentSharesOf([commit], agents))),
    pathMatches: impliedPart([], mergedAt),
    changedLines: impliedPart(12, mergedAt),
    configuredServers: impliedPart([], mergedAt),
  };
  await services.database.withOrg(orgId, async (tx) => {
    await saveAttributions(services, tx, { place, of: { changeId: id, number }, commits: [commit], found: agents });
    const observed = await agentsPart(services, tx, place, {
      changeId: id,
      branch,
      mergedAt,
      createdAt: change.startedAt.toISOString(),
      mergeSha: newId().replaceAll('-', '').padEnd(40, '0'),
      commits: [commit],
      attributed: agents.attributed,
      parts,
    });
    await addChangeVersion(services, tx, place, {
      id,
      branch: 'main',
      mergeMethod: 'pull_request',
      number,
      pushId: null,
      mergedAt,
      mergeSha: null,
      headSha: sha,
      parts: { ...parts, agents: observed },
      protectionId: null,
      cause: 'merge',
      author: null,
      title: null,
    });
  });
}
