import { randomBytes } from 'node:crypto';
import { hasUniqueAccounts, type Provider } from '@sightline/contract/core/providers.ts';
import type { Tx } from '#database/database.ts';
import { newId } from './ids.ts';
import type { Jobs } from './jobs.ts';
import type { Secrets } from './secrets.ts';

declare module './jobs.ts' {
  interface JobData {
    /** Two persons that one source identifies with each other; `source` names the source. */
    'people.unite': { orgId: string; persons: readonly [string, string]; source: string };
  }
}

/** A name of a person at an external source. */
export interface PersonName {
  kind: 'account' | 'email' | Provider;
  value: string;
  /** The account number or UUID at a code host. A login may be reassigned to another account, but this ID cannot. */
  hostId?: string | undefined;
}

/** All names of one person according to one source. The first known name determines the person. */
export interface PersonClaim {
  names: readonly PersonName[];
  display: string | null;
  picture: string | null;
  source: string;
}

export interface PersonRegistry {
  /**
   * Returns the person of each claim, in the order of the claims, and creates unknown persons with their own key. If
   * the names of one claim already belong to two persons, a job merges them unless both are accounts here. None of
   * these names moves to another person until the transaction ends. An account of a code host remains the same person
   * under another login, and another account under the same login is another person.
   */
  resolve: (tx: Tx, orgId: string, claims: readonly PersonClaim[]) => Promise<string[]>;
  /** The keys of persons by ID. A person whose data was deleted has none. */
  keys: (tx: Tx, orgId: string, personIds: readonly string[]) => Promise<Map<string, Buffer>>;
  /** The keys from memory, without a database query; undefined unless all are in memory. */
  openedKeys: (personIds: readonly string[]) => Map<string, Buffer> | undefined;
  /** Removes keys from the memory of this process. */
  forget: (personIds: readonly string[]) => void;
}

const keyOf = (name: PersonName) => `${name.kind}\n${name.value.toLowerCase()}`;
const cacheSize = 20_000;
// The time until a key in memory is checked again, since another process may have deleted the person.
const recheckMs = 5_000;

export function createPersonRegistry(secrets: Secrets, jobs: Pick<Jobs, 'enqueue'>): PersonRegistry {
  // Opening a sealed key costs more than the HMAC computed with it.
  const opened = new Map<string, { key: Buffer; sealed: Buffer; at: number }>();
  const remember = (personId: string, key: Buffer, sealed: Buffer) => {
    if (opened.size >= cacheSize) opened.clear();
    opened.set(personId, { key, sealed, at: Date.now() });
  };

  async function resolve(tx: Tx, orgId: string, claims: readonly PersonClaim[]): Promise<string[]> {
    const names = claims.flatMap((claim) => claim.names);
    const known = await knownNames(tx, orgId, names);
    const former = await formerNames(
      tx,
      orgId,
      names.filter((name) => !known.has(keyOf(name))),
    );
    const personOf = ({ names: all }: PersonClaim) =>
      all.map((name) => known.get(keyOf(name)) ?? former.get(keyOf(name))).find((id) => id !== undefined);
    await queueMerges(jobs, tx, orgId, { claims, known });
    const fresh = new Map<string, { claim: PersonClaim; id: string }>();
    const added: { name: PersonName; person: string; claim: PersonClaim }[] = [];
    for (const claim of claims) {
      const found = personOf(claim);
      const person = found ?? newId();
      if (found === undefined) fresh.set(person, { claim, id: person });
      for (const name of claim.names) {
        if (known.has(keyOf(name))) continue;
        known.set(keyOf(name), person);
        added.push({ name, person, claim });
      }
    }
    if (fresh.size > 0) await create(tx, orgId, [...fresh.keys()]);
    if (added.length > 0 && (await insertNames(tx, orgId, added)) < added.length) {
      // Another transaction inserted a name first. Its person is used, and ours remains an unused row.
      return resolve(tx, orgId, claims);
    }
    return claims.map((claim) => {
      const person = personOf(claim);
      if (person === undefined) throw new Error('A claim about a person needs at least one name');
      return person;
    });
  }

  async function create(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
    const keys = ids.map((id) => {
      const key = randomBytes(32);
      const sealed = secrets.seal({ org: orgId, table: 'person_key', field: id }, key);
      remember(id, key, sealed);
      return sealed;
    });
    await tx.query({
      name: 'people.create',
      text: `with p as (insert into person (org_id, id) select $1, unnest($2::uuid[]) returning id)
             insert into person_key (org_id, person_id, key) select $1, k.id, k.key from unnest($2::uuid[], $3::bytea[]) as k(id, key)`,
      values: [orgId, ids, keys],
    });
  }

  function openedKeys(personIds: readonly string[]): Map<string, Buffer> | undefined {
    const keys = new Map<string, Buffer>();
    for (const id of personIds) {
      const known = opened.get(id);
      if (!known) return undefined;
      keys.set(id, known.key);
    }
    return keys;
  }

  async function keys(tx: Tx, orgId: string, personIds: readonly string[]): Promise<Map<string, Buffer>> {
    const freshSince = Date.now() - recheckMs;
    const missing = [...new Set(personIds)].filter((id) => (opened.get(id)?.at ?? 0) < freshSince);
    if (missing.length > 0) {
      const rows = await tx.query<{ person_id: string; key: Buffer }>({
        name: 'people.keys',
        text: 'select person_id, key from person_key where org_id = $1 and person_id = any($2::uuid[])',
        values: [orgId, missing],
      });
      const found = new Set(rows.map((row) => row.person_id));
      for (const id of missing) if (!found.has(id)) opened.delete(id);
      for (const { person_id: id, key: sealed } of rows) {
        const known = opened.get(id);
        const isSame = known?.sealed.equals(sealed) === true;
        remember(id, isSame ? known.key : secrets.open({ org: orgId, table: 'person_key', field: id }, sealed), sealed);
      }
    }
    return openedKeys(personIds.filter((id) => opened.has(id))) ?? new Map();
  }

  const forget = (personIds: readonly string[]) => {
    for (const id of personIds) opened.delete(id);
  };
  return { resolve, keys, openedKeys, forget };
}

/** Queues merges of persons that one claim identifies with each other. */
async function queueMerges(
  jobs: Pick<Jobs, 'enqueue'>,
  tx: Tx,
  orgId: string,
  { claims, known }: { claims: readonly PersonClaim[]; known: ReadonlyMap<string, string> },
): Promise<void> {
  const pairs = new Map<string, { persons: [string, string]; source: string }>();
  for (const { names, source } of claims) {
    if (names.some(isSharedName)) continue;
    const [first, ...others] = new Set(names.flatMap((name) => known.get(keyOf(name)) ?? []));
    if (first === undefined) continue;
    for (const other of others) pairs.set([first, other].sort().join(' '), { persons: [first, other], source });
  }
  if (pairs.size === 0) return;
  const accounts = await personsWithAccount(
    tx,
    orgId,
    [...pairs.values()].flatMap(({ persons }) => persons),
  );
  for (const [key, { persons, source }] of pairs) {
    if (persons.every((id) => accounts.has(id))) continue;
    await jobs.enqueue(tx, 'people.unite', { orgId, persons, source }, { key: `${orgId} ${key}` });
  }
}

/** Whether several people use this name, so that it does not identify a person. */
export const isSharedName = ({ kind, value }: PersonName) =>
  kind === 'email' && /^(no-?reply|bot|actions?)@/i.test(value);

/** Returns those of the persons that are accounts in the organization. */
export async function personsWithAccount(tx: Tx, orgId: string, personIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ person_id: string }>({
    name: 'people.accounts',
    text: `select person_id from identity where org_id = $1 and person_id = any($2::uuid[]) and kind = 'account'`,
    values: [orgId, personIds],
  });
  return new Set(rows.map((row) => row.person_id));
}

/**
 * Stores the account ID of a login that had none, and removes a login from the account that had it before. The past of
 * that account remains its own, under a value that is not a login. Excludes code hosts of which an
 * organization may have several instances with overlapping account numbers.
 */
async function releaseLogins(tx: Tx, orgId: string, numbered: readonly PersonName[]): Promise<void> {
  const values = [
    orgId,
    numbered.map(({ kind }) => kind),
    numbered.map(({ value }) => value.toLowerCase()),
    numbered.map(({ hostId }) => hostId),
  ];
  const seen = `(select distinct on (kind, value) * from unnest($2::text[], $3::text[], $4::text[]) as n(kind, value, host_id)
                 order by kind, value) n`;
  // The account had this login before, and its row still exists.
  await tx.query({
    name: 'people.drop-logins',
    text: `delete from identity i using ${seen}
           where i.org_id = $1 and i.kind = n.kind and i.value = n.value and i.host_id <> n.host_id
             and exists (select from identity o
               where o.org_id = $1 and o.kind = i.kind and o.value = i.value || ' ' || i.host_id)`,
    values,
  });
  await tx.query({
    name: 'people.lose-logins',
    text: `update identity i set value = i.value || ' ' || i.host_id from ${seen}
           where i.org_id = $1 and i.kind = n.kind and i.value = n.value and i.host_id <> n.host_id`,
    values,
  });
  await tx.query({
    name: 'people.note-accounts',
    text: `update identity i set host_id = n.host_id from ${seen}
           where i.org_id = $1 and i.kind = n.kind and i.value = n.value and i.host_id is null`,
    values,
  });
}

// The lock keeps a name with its person until the caller has written rows that reference them. A merge of persons waits
// for this lock, and callers that wait for a merge read the names again.
const lockedInOrderSql = 'order by i.kind, i.value for key share of i';

async function knownNames(tx: Tx, orgId: string, names: readonly PersonName[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const rows = await tx.query<{ kind: string; value: string; person_id: string; host_id: string | null }>({
    name: 'people.known',
    text: `select i.kind, i.value, i.person_id, i.host_id from identity i
           join unnest($2::text[], $3::text[]) as n(kind, value) on i.kind = n.kind and i.value = n.value
           where i.org_id = $1 ${lockedInOrderSql}`,
    values: [orgId, names.map((name) => name.kind), names.map((name) => name.value.toLowerCase())],
  });
  const accounts = new Map(rows.map((row) => [`${row.kind}\n${row.value}`, row.host_id]));
  const changed = names.filter((name) => {
    const account = accounts.get(keyOf(name));
    return account !== undefined && name.hostId !== undefined && isOtherAccount(name, account);
  });
  if (changed.length > 0) {
    await releaseLogins(tx, orgId, changed);
    return knownNames(tx, orgId, names);
  }
  return new Map(rows.map((row) => [`${row.kind}\n${row.value}`, row.person_id]));
}

/** Whether a login is stored without an account ID or with a different one. */
const isOtherAccount = ({ kind, hostId }: PersonName, account: string | null): boolean =>
  account === null || (account !== hostId && hasUniqueAccounts(kind));

/** Finds the persons of unknown logins by accounts that had another login before. */
async function formerNames(tx: Tx, orgId: string, unknown: readonly PersonName[]): Promise<Map<string, string>> {
  const names = unknown.filter(({ hostId }) => hostId !== undefined);
  if (names.length === 0) return new Map();
  const rows = await tx.query<{ kind: string; host_id: string; person_id: string }>({
    name: 'people.former-logins',
    text: `select i.kind, i.host_id, i.person_id from identity i
           join unnest($2::text[], $3::text[]) as n(kind, host_id) on i.kind = n.kind and i.host_id = n.host_id
           where i.org_id = $1 ${lockedInOrderSql}`,
    values: [orgId, names.map(({ kind }) => kind), names.map(({ hostId }) => hostId)],
  });
  const persons = new Map(rows.map((row) => [`${row.kind}\n${row.host_id}`, row.person_id]));
  return new Map(
    names.flatMap((name) => {
      const person = persons.get(`${name.kind}\n${name.hostId}`);
      return person === undefined ? [] : [[keyOf(name), person] as const];
    }),
  );
}

/** Inserts new names. Returns how many did not exist yet. */
async function insertNames(
  tx: Tx,
  orgId: string,
  added: readonly { name: PersonName; person: string; claim: PersonClaim }[],
): Promise<number> {
  const rows = await tx.query<{ kind: string }>({
    name: 'people.attach',
    text: `insert into identity (org_id, kind, value, person_id, display, picture, source, confidence, host_id)
           select $1, n.kind, n.value, n.person, n.display, n.picture, n.source, 'observed', n.host_id
           from unnest($2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[])
             as n(kind, value, person, display, picture, source, host_id)
           order by n.kind, n.value
           on conflict do nothing returning kind`,
    values: [
      orgId,
      added.map(({ name }) => name.kind),
      added.map(({ name }) => name.value.toLowerCase()),
      added.map(({ person }) => person),
      added.map(({ claim }) => claim.display),
      added.map(({ claim }) => claim.picture),
      added.map(({ claim }) => claim.source),
      added.map(({ name }) => name.hostId ?? null),
    ],
  });
  return rows.length;
}
