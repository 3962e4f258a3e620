import { accountField } from '@sightline/evidence/bundle/accounts.ts';
import { changeKind } from '@sightline/evidence/bundle/change-entries.ts';
import { completePersons, type OpenedDisclosure, openPlaced } from '@sightline/evidence/bundle/disclosed.ts';
import type { PlacedDisclosure, PlacedEntry } from '@sightline/evidence/bundle/scope.ts';
import { type CanonicalValue, canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { commitmentOf, disclosureOf, parseEntry } from '@sightline/evidence/ledger/entry.ts';
import type { PersonRegistry } from '#core/people.ts';
import type { Tx } from '#database/database.ts';
import { accountsOfChanges } from '../changes/queries.ts';
import type { SealedState } from './queries.ts';

/** Texts of members that an auditor may read: comments, notes and reasons, without names and addresses. */
const textFields = ['comment', 'note', 'reason'] as const;

type PlacedText = Pick<PlacedEntry, 'index' | 'entry'>;
type CommittedEntry = ReturnType<typeof parseEntry> & { index: number };
interface EntryText {
  field: string;
  value: CanonicalValue;
}
interface PersonalText extends EntryText {
  /** The person whose key protects the text. */
  person: string;
}

/**
 * Returns the disclosures of entries: titles of changes, accounts of participants, reasons of waivers and notes of
 * sign-offs. Excludes texts that changed since, and erased persons.
 */
export async function disclosuresOf(
  tx: Tx,
  people: PersonRegistry,
  orgId: string,
  entries: readonly PlacedText[],
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
  const written = await textsIn(tx, orgId, committed);
  return committed.flatMap((entry) => {
    const { person } = entry;
    const title = titles.get(keyOf(entry.subject));
    const texts: PersonalText[] = [
      ...(title === undefined || person === null ? [] : [{ person, field: 'title', value: title }]),
      ...(person === null ? [] : (written.get(entry.id) ?? []).map((text) => ({ ...text, person }))),
      ...(accountsBy.get(entry.id) ?? []).map((one) => ({
        person: one.person,
        field: accountField(one.person),
        value: one.hostId,
      })),
    ];
    return texts
      .flatMap(({ person: of, field, value }) => {
        const key = keys.get(of);
        return key ? [disclosureOf(entry.id, field, value, new Uint8Array(key))] : [];
      })
      .filter((disclosure) => entry.commitments.includes(commitmentOf(disclosure)))
      .map((disclosure) => ({ index: entry.index, disclosure }));
  });
}

/**
 * Returns the disclosures of a snapshot of the persons who still have all of them: a person whose data was deleted, or
 * whose texts changed, has none.
 */
export async function remainingDisclosures(
  tx: Tx,
  people: PersonRegistry,
  orgId: string,
  { entries, sealed }: { entries: readonly PlacedText[]; sealed: Pick<SealedState, 'disclosed'> },
): Promise<PlacedDisclosure[]> {
  const disclosures = await disclosuresOf(tx, people, orgId, entries);
  const opened = openAll(entries, disclosures);
  const persons = completePersons(opened, sealed.disclosed);
  return disclosures.filter((_disclosure, index) => persons.has(opened[index]?.person ?? ''));
}

/** Opens disclosures with their entries, in order. */
export function openAll(entries: readonly PlacedText[], disclosures: readonly PlacedDisclosure[]): OpenedDisclosure[] {
  const texts = new Map(entries.map(({ index, entry }) => [index, entry]));
  const parsed = new Map<number, ReturnType<typeof parseEntry>>();
  return disclosures.map((one) => {
    const known = parsed.get(one.index) ?? parseEntry(texts.get(one.index) ?? '');
    parsed.set(one.index, known);
    return openPlaced(known, one);
  });
}

/** The texts in the audit log that entries commit to, by entry id. */
async function textsIn(
  tx: Tx,
  orgId: string,
  entries: readonly CommittedEntry[],
): Promise<ReadonlyMap<string, readonly EntryText[]>> {
  const rows = await tx.query<{ id: string; personal: { [field: string]: CanonicalValue } }>({
    name: 'snapshots.words',
    text: 'select id, personal from audit_event where org_id = $1 and id = any($2)',
    values: [orgId, entries.filter(({ kind }) => kind.startsWith('audit.')).map(({ id }) => id)],
  });
  return new Map(
    rows.map(({ id, personal }) => [
      id,
      textFields.flatMap((field) => {
        const value = personal[field];
        return value === undefined ? [] : [{ field, value }];
      }),
    ]),
  );
}

async function titlesOf(
  tx: Tx,
  orgId: string,
  entries: readonly CommittedEntry[],
): Promise<ReadonlyMap<string, string>> {
  const pullRequests = entries
    .map(({ subject }) => subject)
    .filter(({ repository, number }) => typeof repository === 'string' && typeof number === 'number');
  const rows = await tx.query<{ repository: string; number: number; title: string }>({
    name: 'snapshots.titles',
    text: `select p.repository_id as repository, p.number, p.title from unnest($2::uuid[], $3::int[]) as w(repository, number)
           join pull_request p on p.org_id = $1 and p.repository_id = w.repository and p.number = w.number`,
    values: [orgId, pullRequests.map(({ repository }) => repository), pullRequests.map(({ number }) => number)],
  });
  return new Map(rows.map((row) => [keyOf(row), row.title]));
}

const keyOf = ({ repository, number }: { readonly [key: string]: CanonicalValue }): string =>
  canonicalJson([repository ?? null, number ?? null]);
