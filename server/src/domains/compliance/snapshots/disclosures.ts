import { accountField } from '@sightline/evidence/bundle/accounts.ts';
import { changeKind } from '@sightline/evidence/bundle/change-tie.ts';
import type { PlacedDisclosure } from '@sightline/evidence/bundle/scope.ts';
import { canonical, type Plain } from '@sightline/evidence/ledger/canonical.ts';
import { commitmentOf, disclosureOf, parseEntry } from '@sightline/evidence/ledger/entry.ts';
import type { PersonRegistry } from '#core/people.ts';
import type { Tx } from '#database/database.ts';
import { accountsOfChanges } from '../changes/queries.ts';

/** What people wrote that an auditor reads: why they asked, what they answered, what they noted. No address, no name. */
const words = ['comment', 'note', 'reason'] as const;

type Committed = ReturnType<typeof parseEntry> & { index: number };
interface EntryText {
  field: string;
  value: Plain;
}
interface PersonalText extends EntryText {
  /** Under whose key it is committed to. */
  person: string;
}

/**
 * What opens commitments of entries: titles of changes, the accounts of those who had a part in them, and why exceptions were asked for and digests signed off, where it still is what
 * was committed to, of people whose keys are still there.
 */
export async function disclosuresOf(
  tx: Tx,
  people: PersonRegistry,
  orgId: string,
  entries: readonly { index: number; entry: string }[],
): Promise<PlacedDisclosure[]> {
  const committed = entries
    .filter(({ entry }) => entry.includes('"_sd"'))
    .map(({ index, entry }) => ({ index, ...parseEntry(entry) }))
    .filter(({ commitments }) => commitments.length > 0);
  const accounts = await accountsOfChanges(
    tx,
    orgId,
    committed.filter(({ kind }) => kind === changeKind).map(({ id }) => id),
  );
  const accountsBy = Map.groupBy(accounts, ({ entryId }) => entryId);
  const named = [...committed.flatMap(({ person }) => person ?? []), ...accounts.map(({ person }) => person)];
  const keys = await people.keys(tx, orgId, [...new Set(named)]);
  const titles = await titlesOf(tx, orgId, committed);
  const written = await writtenIn(tx, orgId, committed);
  return committed.flatMap((entry) => {
    const { person } = entry;
    const title = titles.get(keyOf(entry.subject));
    const said: PersonalText[] = [
      ...(title === undefined || person === null ? [] : [{ person, field: 'title', value: title }]),
      ...(person === null ? [] : (written.get(entry.id) ?? []).map((words) => ({ ...words, person }))),
      ...(accountsBy.get(entry.id) ?? []).map((one) => ({
        person: one.person,
        field: accountField(one.person),
        value: one.hostId,
      })),
    ];
    return said
      .flatMap(({ person: of, field, value }) => {
        const key = keys.get(of);
        return key ? [disclosureOf(entry.id, field, value, new Uint8Array(key))] : [];
      })
      .filter((disclosure) => entry.commitments.includes(commitmentOf(disclosure)))
      .map((disclosure) => ({ index: entry.index, disclosure }));
  });
}

/** By the id of the entry, the words in the audit log that it commits to. */
async function writtenIn(
  tx: Tx,
  orgId: string,
  entries: readonly Committed[],
): Promise<ReadonlyMap<string, readonly EntryText[]>> {
  const rows = await tx.query<{ id: string; personal: { [field: string]: Plain } }>({
    name: 'snapshots.words',
    text: 'select id, personal from audit_event where org_id = $1 and id = any($2)',
    values: [orgId, entries.filter(({ kind }) => kind.startsWith('audit.')).map(({ id }) => id)],
  });
  return new Map(
    rows.map(({ id, personal }) => [
      id,
      words.flatMap((field) => {
        const value = personal[field];
        return value === undefined ? [] : [{ field, value }];
      }),
    ]),
  );
}

async function titlesOf(tx: Tx, orgId: string, entries: readonly Committed[]): Promise<ReadonlyMap<string, string>> {
  const wanted = entries
    .map(({ subject }) => subject)
    .filter(({ repository, number }) => typeof repository === 'string' && typeof number === 'number');
  const rows = await tx.query<{ repository: string; number: number; title: string }>({
    name: 'snapshots.titles',
    text: `select p.repository_id as repository, p.number, p.title from unnest($2::uuid[], $3::int[]) as w(repository, number)
           join pull_request p on p.org_id = $1 and p.repository_id = w.repository and p.number = w.number`,
    values: [orgId, wanted.map(({ repository }) => repository), wanted.map(({ number }) => number)],
  });
  return new Map(rows.map((row) => [keyOf(row), row.title]));
}

const keyOf = ({ repository, number }: { readonly [key: string]: Plain }): string =>
  canonical([repository ?? null, number ?? null]);
