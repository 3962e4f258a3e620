import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import type { Services } from '#core/services.ts';
import type { CodeHost } from '#providers/code-host.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import { maybeProtectionAt } from '../../sources/protection/queries.ts';
import { gather } from './gather.ts';
import { headOf, maybeHeadPusher } from './heads.ts';
import { answerOf, missing } from './host-answer.ts';
import { partsOfMerge } from './merges.ts';
import type { ChangeParts } from './parts.ts';
import { heardOf } from './reviews.ts';
import { changeRow, checksRow, type RecordRow, ticketRow } from './rows.ts';
import { withSamePersons } from './same-persons.ts';
import { maybePlace } from './scope.ts';

/** An open pull request as the evaluates of changes would see it if it were merged now. */
export interface OpenChange {
  headSha: string;
  baseRef: string;
  isDefaultBranch: boolean;
  rows: Partial<Record<ControlId, PopulationRow>>;
  ref: HostRef;
  /** What we can say there. */
  words: Pick<CodeHost, 'setStatus' | 'comments' | 'answerCheck'>;
}

/**
 * Asks the host how a pull request stands. `own`: what we set ourselves, which waits for nothing. Undefined for one that is not
 * open, or that the host does not show. Throws HostLimited.
 */
export async function readOpen(
  services: Services,
  orgId: string,
  { repositoryId, number, own }: { repositoryId: string; number: number; own: string },
): Promise<OpenChange | undefined> {
  const place = await maybePlace(services, orgId, repositoryId);
  if (!place?.host) return undefined;
  const { host, ref, provider, defaultBranch } = place;
  const found = await gather(host, ref, number, { headSha: '' });
  const told = answerOf(found.pullRequest)?.pullRequest;
  if (told?.state !== 'in-progress' || told.headSha === '') return undefined;
  const now = new Date();
  const pullRequest = { ...told, mergedAt: now.toISOString() };
  const parts = await services.database.withOrg(orgId, async (tx) => {
    const protection = await maybeProtectionAt(tx, orgId, {
      repositoryId,
      branch: told.baseRef,
      at: now.toISOString(),
    });
    const checks = protection?.rules.requiredChecks ?? missing;
    const made = await partsOfMerge(services, tx, orgId, {
      provider,
      found,
      pullRequest,
      recorded: {
        heard: await heardOf(tx, orgId, repositoryId, number),
        headPusher: await maybeHeadPusher(tx, orgId, repositoryId, headOf(told)),
        requiredChecks: {
          known:
            checks.state === 'missing' ? checks : { ...checks, value: checks.value.filter((name) => name !== own) },
          source: { state: checks.state, fetchedAt: now.toISOString(), reason: null },
        },
      },
    });
    const known = Object.fromEntries(Object.entries(made).map(([name, part]) => [name, part.known]));
    return withSamePersons(tx, orgId, repositoryId, known as unknown as ChangeParts);
  });
  const row: RecordRow = {
    id: String(number),
    repository_id: repositoryId,
    branch: told.baseRef,
    mergeMethod: 'pull_request',
    merged_at: now,
    is_default_branch: told.baseRef === defaultBranch,
    leaf: null,
    parts,
  };
  return {
    headSha: told.headSha,
    baseRef: told.baseRef,
    isDefaultBranch: row.is_default_branch,
    rows: { 'CHG-01': changeRow(row), 'CHG-05': checksRow(row), 'CHG-06': ticketRow(row) },
    ref,
    words: host,
  };
}
