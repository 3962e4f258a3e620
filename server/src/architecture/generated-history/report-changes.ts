import { isDirect } from '@sightline/sandbox/planted/expected-verdicts.ts';
import { hostBehavior } from '@sightline/sandbox/planted/hosts.ts';
import { sendScenarioWebhooks } from '@sightline/sandbox/planted/send-webhooks.ts';
import { simulateChanges } from '@sightline/sandbox/planted/simulate-changes.ts';
import { expect } from 'vitest';
import { reconcileRepository } from '../../domains/sources/reconcile/reconcile.ts';
import { webhookHelpers } from '../../domains/sources/webhooks/deliveries.fixture.ts';
import { type GeneratedHistory, processingTimeoutMs, waitFor } from './generated-history.ts';

// Small enough that the branch protection is read while it still applies to each merge.
const changesPerBatch = 60;

/** Simulates the next `count` changes, sends their webhooks or polls the host, and waits until the server has processed them. */
export async function reportChanges(history: GeneratedHistory, count: number): Promise<void> {
  const { codeHost, hosted, org, repositoryId, repositoryScenario, server, shas } = history;
  const { changes } = repositoryScenario;
  const end = Math.min(history.reportedCount + count, changes.length);
  while (history.reportedCount < end) {
    const batch = changes.slice(history.reportedCount, Math.min(history.reportedCount + changesPerBatch, end));
    history.reportedCount += batch.length;
    const simulated = await simulateChanges(codeHost.sandbox.sandbox.host, {
      repository: hosted,
      shas,
      changes: batch,
      until: Date.now(),
    });
    if (codeHost.webhookSender) await sendScenarioWebhooks(codeHost.webhookSender(hosted), hosted, simulated);
    else await reconcileRepository(server.services, org.id, repositoryId);
    await waitUntilProcessed(history);
  }
}

/** Waits until webhooks and changes are processed. */
export async function waitUntilProcessed({ codeHost, server, org, selectRows }: GeneratedHistory): Promise<void> {
  if (codeHost.webhookSender) await webhookHelpers(() => server).waitUntilProcessed(org.id, processingTimeoutMs);
  else await waitUntilPushesAreRead(server, org.id);
  await waitFor(async () =>
    expect(
      await selectRows(`select id from change_task where org_id = $1 and (attempt = 0 or due_at <= now())`),
    ).toEqual([]),
  );
}

/** A poll starts a job that reads pushes. It must not read the host while the next changes are simulated. */
const waitUntilPushesAreRead = ({ services }: GeneratedHistory['server'], orgId: string) =>
  waitFor(async () => {
    const { rows } = await services.database.pool.query(
      `select from pgboss.job where name = 'changes.import-pushes' and data->>'orgId' = $1 and state < 'completed'
         and start_after <= now()`,
      [orgId],
    );
    expect(rows).toEqual([]);
  });

/** Reconciles the repository, and waits until all reported changes are recorded. */
export async function recoverLostChanges(history: GeneratedHistory): Promise<void> {
  const { server, org, on, repositoryId } = history;
  await reconcileRepository(server.services, org.id, repositoryId);
  await waitFor(() => expectChangesRecorded(history));
  // Late pushes may have been recorded as lost before they arrived.
  if (hostBehavior(on).listsPushes) await waitFor(() => expectNoLostPushes(history));
  else await reconcileRepository(server.services, org.id, repositoryId);
  await waitUntilProcessed(history);
}

async function expectChangesRecorded(history: GeneratedHistory): Promise<void> {
  const { on, repositoryScenario, reportedCount, shas, selectRows } = history;
  const changes = repositoryScenario.changes.slice(0, reportedCount);
  const merges = await selectRows<{ number: number }>(
    'select distinct number from change_record where org_id = $1 and number is not null order by number',
  );
  expect(merges.map(({ number }) => number)).toEqual(
    changes.flatMap((change) =>
      change.kind === 'merge' && !isDirect(change, hostBehavior(on)) ? [change.number] : [],
    ),
  );
  const pushes = await selectRows<{ sha: string }>(
    `select distinct after_sha as sha from branch_push where org_id = $1 and completeness = 'complete'`,
  );
  const recorded = new Set<string | undefined>(pushes.map(({ sha }) => sha));
  // If the host has no list of pushes, reconciliation recovers no lost ones.
  const tips = changes
    .filter(({ lost }) => hostBehavior(on).listsPushes || !lost.includes('push'))
    .map((change) => shas.get((change.kind === 'merge' ? change.landed : change.commits).at(-1) ?? 0));
  expect(tips.filter((tip) => !recorded.has(tip))).toEqual([]);
}

async function expectNoLostPushes({ server, org, repositoryId, selectRows }: GeneratedHistory): Promise<void> {
  const lost = await selectRows(
    `select id from (select distinct on (id) id, completeness from branch_push where org_id = $1 order by id, version desc) p where completeness = 'lost'`,
  );
  if (lost.length > 0) await reconcileRepository(server.services, org.id, repositoryId);
  expect(lost).toEqual([]);
}
