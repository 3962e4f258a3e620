import { hashOf } from '@sightline/evidence/bundle/run-entry.ts';
import { merge, review, ticket } from '@sightline/evidence/controls/testing/change-variants.ts';
import { completeFact, human } from '@sightline/evidence/controls/testing/facts.ts';
import { passingRowOf } from '@sightline/evidence/controls/testing/variants.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';

/** Adds an enabled repository without a code host. */
export function addRepository({ database }: Pick<Services, 'database'>, orgId: string, name: string): Promise<string> {
  const id = newId();
  return database.withOrg(orgId, async ({ db }) => {
    await db
      .insertInto('repository')
      .values({
        org_id: orgId,
        id,
        provider: 'github',
        provider_repo_id: id,
        installation_id: '1',
        owner: 'acme',
        name,
        full_name: `acme/${name}`,
        default_branch: 'main',
        is_private: true,
        html_url: 'https://code.example',
        tracked: true,
        last_change: new Date(),
      })
      .execute();
    return id;
  });
}

/** Adds records of merges every 15 minutes from a time, as the jobs write them; every seventh has no approval. */
export async function addChanges(
  { database }: Pick<Services, 'database'>,
  orgId: string,
  repositoryId: string,
  { from, count, first = 0, titled }: { from: string; count: number; first?: number; titled?: TitleCommitment },
): Promise<void> {
  for (let offset = 0; offset < count; offset += BATCH_SIZE) {
    await database.withOrg(orgId, async (tx) => {
      const changes = Array.from({ length: Math.min(BATCH_SIZE, count - offset) }, (_each, index) =>
        change(orgId, { repositoryId, number: first + offset + index, from, titled }),
      );
      await appendEntries(
        tx,
        orgId,
        changes.map(({ entry }) => entry),
      );
      await tx.db
        .insertInto('change_record')
        .values(changes.map(({ row }) => row))
        .execute();
    });
  }
}

/** A title with a commitment under the key of a person, who is the author. */
export interface TitleCommitment {
  title: string;
  person: string;
  key: Buffer;
}

const BATCH_SIZE = 500;

/** The parts of a merge; every seventh has no review. `at`: hours before the merge. */
function partsOf(
  number: number,
  at: (hours: number) => string,
  author: string | undefined,
): { [key: string]: CanonicalValue } {
  const { subject, repository, leaf, leaves, waivers, branch, isDefaultBranch, mergedAt, mergeMethod, ...facts } =
    passingRowOf(merge);
  const { sourceBranch, labels, tickets, linkedIssues } = passingRowOf(ticket);
  return {
    ...facts,
    ...(author !== undefined && { authors: completeFact([human(author)]) }),
    sourceBranch,
    labels,
    tickets,
    namedTickets: completeFact([]),
    linkedIssues,
    lastPushAt: completeFact(at(2)),
    reviews: completeFact(number % 7 === 3 ? [] : [{ ...review, by: human('per_reviewer'), submittedAt: at(1) }]),
    checks: completeFact([]),
    requiredChecks: completeFact([]),
    ai: completeFact([]),
    agents: completeFact([]),
    pathMatches: completeFact([]),
    changedLines: completeFact(12),
    configuredServers: completeFact([]),
  } as unknown as { [key: string]: CanonicalValue };
}

function change(
  orgId: string,
  {
    repositoryId,
    number,
    from,
    titled,
  }: { repositoryId: string; number: number; from: string; titled?: TitleCommitment | undefined },
) {
  const merged = Date.parse(from) + number * 900_000;
  const at = (hours: number): string => new Date(merged - hours * 3_600_000).toISOString();
  const parts = partsOf(number, at, titled?.person);
  const { headSha } = passingRowOf(merge);
  const head = headSha.state === 'complete' ? headSha.value : null;
  const id = newId();
  const subject = {
    change: id,
    version: 1,
    repository: repositoryId,
    branch: 'main',
    isDefaultBranch: true,
    mergeMethod: 'pull_request',
    number,
    push: null,
    origin: { host: 'github.com', connection: null, repository: '4711' },
    mergedAt: at(0),
    mergeSha: null,
    headSha: head,
    parts: hashOf(parts),
    missing: [],
    protection: null,
  };
  const entry = createLedgerEntry(
    {
      id: newId(),
      org: orgId,
      kind: 'change',
      asOf: at(0),
      receivedAt: at(0),
      source: 'test',
      subject,
      person: titled?.person ?? null,
      personal: titled ? { title: titled.title } : {},
    },
    titled?.key,
  );
  const row = {
    org_id: orgId,
    id,
    version: 1,
    repository_id: repositoryId,
    branch: 'main',
    is_default_branch: true,
    merge_method: 'pull_request',
    number,
    head_sha: head,
    merged_at: at(0),
    parts: JSON.stringify(parts),
    sources: '{}',
    authors: [],
    persons: [],
    missing: [],
    approval: 'yes',
    has_agent: false,
    cause: 'merge',
    entry_id: entry.id,
  };
  return { entry, row };
}
