import { isDeepStrictEqual } from 'node:util';
import { listChanges } from '@sightline/contract/compliance/changes.ts';
import { listPolicies } from '@sightline/contract/compliance/policies.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { listTools } from '@sightline/contract/tools/tools.ts';
import { listFindings } from '@sightline/contract/vulnerabilities/findings.ts';
import { createRandom } from '@sightline/sandbox/planted/random.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signLedger } from '#testing/ledger.ts';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { isFullSuite } from '../../../scripts/full-suite.ts';
import { changeAList, type RecordedHistory, startRecordedHistory } from './recorded-history.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());

interface Row {
  id: string;
  hasPendingChange?: unknown;
  recorded?: { entry: { id: string; epoch: number; index: number } | null } | undefined;
}
type Rows = ReadonlyMap<string, Row>;
type ListReader = (history: RecordedHistory, ledgerSize?: string) => Promise<readonly Row[]>;

const as = ({ org }: RecordedHistory) => server.as(org.owner, org.id);
const sizeIn = (ledgerSize: string | undefined) => (ledgerSize === undefined ? {} : { ledgerSize });

const readTools =
  (tab: 'ci/cd' | 'developer'): ListReader =>
  async (history, ledgerSize) => {
    const { rows } = await as(history)(listTools, {
      body: { tab, perPage: 100, sort: 'date-desc', ...sizeIn(ledgerSize) },
    });
    // The history has one sighting a day and removes nothing, so that the current list contains what is recorded.
    return rows.map(({ sources: _, source: _source, inUse: _inUse, ...tool }) => tool);
  };
const readPolicies =
  (state: 'held' | 'ended'): ListReader =>
  async (history, ledgerSize) => {
    const { rows } = await as(history)(listPolicies, { query: { state, perPage: 100, ...sizeIn(ledgerSize) } });
    return rows.map(({ allowed: _, ...policy }) => policy);
  };

/** The lists with their recorded fields. */
const lists: Record<string, ListReader> = {
  members: async (history, ledgerSize) => {
    const { rows } = await as(history)(listMembers, {
      query: { perPage: 100, sort: 'name-asc', ...sizeIn(ledgerSize) },
    });
    return rows.map(({ id, name, email, role, status, recorded }) => ({ id, name, email, role, status, recorded }));
  },
  'tools of builds': readTools('ci/cd'),
  'tools of developers': readTools('developer'),
  'active policies': readPolicies('held'),
  'archived policies': readPolicies('ended'),
  findings: async (history, ledgerSize) => {
    const { rows } = await as(history)(listFindings, {
      query: { perPage: 100, status: ['open', 'dismissed', 'exception', 'fixed'], ...sizeIn(ledgerSize) },
    });
    return rows.map(({ unread: _, introducedBy: _commit, exception, ...finding }) => ({
      ...finding,
      // The decision and the state of a waiver have times of their own.
      exception: exception && { ...exception, decidedAt: null },
    }));
  },
  changes: async (history, ledgerSize) => {
    const { rows } = await as(history)(listChanges, { query: { perPage: 100, ...sizeIn(ledgerSize) } });
    return rows;
  },
};
const listNames = Object.keys(lists);

/** The lists as they were shown when the ledger had a size. */
interface Recording {
  size: number;
  lists: ReadonlyMap<string, Rows>;
}

const byId = (rows: readonly Row[]): Rows => new Map(rows.map((row) => [row.id, row]));
const withoutEvidence = ({ recorded: _, ...row }: Row) => row;

async function record(history: RecordedHistory): Promise<Recording> {
  const shown = new Map<string, Rows>();
  for (const [name, read] of Object.entries(lists)) shown.set(name, byId(await read(history)));
  return { size: await signLedger(server, history.org), lists: shown };
}

const [changes, pairs] = isFullSuite ? [220, 1_000] : [30, 25];
const seed = 20_261_129;

test(`shows every list at a ledger size as it was recorded: ${pairs} random pairs of a row and a size`, {
  timeout: 600_000,
}, async () => {
  const history = await startRecordedHistory(server, seed);
  const recordings = [await record(history)];
  for (let turn = 0; turn < changes; turn += 1) {
    await changeAList(history);
    recordings.push(await record(history));
  }
  const read = new Map<string, Promise<Rows>>();
  const rowsAt = (list: string, size: number): Promise<Rows> => {
    const key = `${list} ${size}`;
    const rows = read.get(key) ?? (lists[list] as ListReader)(history, `1.${size}`).then(byId);
    read.set(key, rows);
    return rows;
  };

  // Every list at the size of its last recording is complete and has the same order.
  const last = recordings.at(-1) as Recording;
  for (const name of listNames) {
    expect([name, [...(await rowsAt(name, last.size)).keys()]]).toEqual([
      name,
      [...(last.lists.get(name)?.keys() ?? [])],
    ]);
  }

  const random = createRandom(seed + 1);
  const ids = new Map(
    listNames.map((name) => [
      name,
      [...new Set(recordings.flatMap((one) => [...(one.lists.get(name)?.keys() ?? [])]))],
    ]),
  );
  const compared = new Map(listNames.map((name) => [name, 0]));
  for (let pair = 0; pair < pairs; pair += 1) {
    const list = random.pick(listNames);
    const id = random.pick(ids.get(list) ?? []);
    // Half of the sizes are those of recordings, the others anywhere between them.
    const size = random.below(2) === 0 ? random.pick(recordings).size : 1 + random.below(last.size);
    const shown = (await rowsAt(list, size)).get(id);
    // The recordings before and after: a transaction may have appended several entries.
    const before = recordings
      .findLast((one) => one.size <= size)
      ?.lists.get(list)
      ?.get(id);
    const next = recordings.find((one) => one.size >= size) as Recording;
    const after = next.lists.get(list)?.get(id);
    const isExact = next.size === size;
    const comparable = (row: Row | undefined) =>
      row && withoutEvidence(isExact ? row : { ...row, hasPendingChange: null });
    const possible = (isExact ? [after] : [before, after]).map(comparable);
    const row = comparable(shown);
    const expected = possible.find((one) => isDeepStrictEqual(one, row));
    expect({ list, id, size, isExact, row, possible }).toEqual({ list, id, size, isExact, row: expected, possible });
    if (shown) expect(shown.recorded?.entry?.index).toBeLessThan(size);
    compared.set(list, (compared.get(list) ?? 0) + (shown ? 1 : 0));
  }
  // Rows of every list were compared.
  expect(listNames.filter((name) => compared.get(name) === 0)).toEqual([]);
});
