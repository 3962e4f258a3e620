import { createSnapshot, getSnapshot } from '@sightline/contract/compliance/snapshots.ts';
import { quarterOf } from '@sightline/contract/core/periods.ts';
import { erasePerson, listErasures } from '@sightline/contract/organization/erasure.ts';
import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { parseVerifier } from '@sightline/evidence/ledger/note.ts';
import { members } from '@sightline/sandbox/planted/people.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { checkLedger } from '../domains/ledger/ledger/check/check.ts';
import { findTraces } from '../domains/organization/erasure/testing/dump.ts';
import type { GeneratedHistory } from './generated-history/generated-history.ts';
import { reportChanges } from './generated-history/report-changes.ts';
import { startGeneratedHistory } from './generated-history/start-generated-history.ts';

// After an erasure, earlier bundles stay valid and later ones redact. All data comes from a code host.

const patience = 180_000;
let history: GeneratedHistory;
beforeAll(async () => {
  history = await startGeneratedHistory(9, 8, { isSound: true });
  await reportChanges(history, 8);
}, patience);
afterAll(() => history.close());

async function frozen(name: string) {
  const { server, org } = history;
  const call = server.as(org.owner, org.id);
  const body = { name, period: quarterOf(new Date()), controls: ['CHG-01', 'CHG-02', 'CHG-03'] };
  const { id } = await call(createSnapshot, { body } as never);
  const snapshot = await vi.waitFor(
    async () => {
      const now = await call(getSnapshot, { params: { snapshotId: id } });
      expect([now.state, now.problem]).toEqual(['ready', null]);
      return now;
    },
    { timeout: 60_000, interval: 200 },
  );
  const token = await server.token(org.owner, org.id);
  const answer = await fetch(`${server.url}/api/v2/snapshots/${id}/bundle`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { bundle: new Uint8Array(await answer.arrayBuffer()), keys: [parseVerifier(snapshot.key ?? '')] };
}

/** Returns the numbers of disclosed and redacted commitments of a valid bundle, and the persons that it names. */
async function openedOf({
  bundle,
  keys,
}: Awaited<ReturnType<typeof frozen>>): Promise<{ counts: [opened: number, withheld: number]; people: string[] }> {
  const report = await verifyBundle(bundle, { keys });
  expect(report.steps.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(report.valid).toBe(true);
  const [, opened, withheld] =
    /(\d+) disclosed, (\d+) redacted/.exec(report.steps.map(({ message }) => message).join(' ')) ?? [];
  const people = (report.bundle?.people ?? []).map((one) => one.person);
  return { counts: [Number(opened), Number(withheld)], people };
}

test('keeps earlier evidence packages valid after an erasure, redacts later ones, and erases other mentions', {
  tags: 'full',
  timeout: patience,
}, async () => {
  const { server, org, selectRows } = history;
  const author = history.repositoryScenario.changes.map((change) =>
    change.kind === 'merge' ? change.author : undefined,
  )[0];
  const person = members.find(({ email }) => email === author?.email);
  if (!person) throw new Error('No person of the test data merged anything.');
  const before = await frozen('Before');
  const { counts, people } = await openedOf(before);
  const [opened, withheld] = counts;
  expect(opened).toBeGreaterThan(0);
  expect(withheld).toBe(0);
  const mine = await selectRows<{ id: string }>(
    `select person_id as id from identity where org_id = $1 and kind = 'email' and value = $2`,
    [person.email],
  );
  expect(mine).toHaveLength(1);
  expect(people).toContain(mine[0]?.id);
  const call = server.as(org.owner, org.id);
  const subject = { kind: 'person', id: mine[0]?.id ?? '' } as const;
  await call(erasePerson, { body: { subject, confirm: person.email } });
  await vi.waitFor(async () => expect((await call(listErasures, {})).rows[0]?.state).toBe('done'), {
    timeout: 60_000,
    interval: 200,
  });
  expect(await findTraces(server, { name: person.name, email: person.email })).toEqual([]);

  expect(await openedOf(before)).toEqual({ counts, people });
  const after = await openedOf(await frozen('After'));
  const [openedNow, withheldNow] = after.counts;
  expect(after.people).toEqual(people.filter((id) => id !== mine[0]?.id));
  expect(
    await selectRows('select manifest from snapshot where org_id = $1 and manifest not like $2', ['%"people":[]%']),
  ).toEqual([]);
  expect(withheldNow).toBeGreaterThan(0);
  // The later snapshot does not commit to the name of the person, so that it is not counted as withheld either.
  expect(openedNow).toBe(opened - withheldNow - 1);
  expect((await checkLedger(server.services, org.id))?.problems).toEqual([]);
});
