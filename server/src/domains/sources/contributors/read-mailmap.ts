import type { Provider } from '@sightline/contract/core/providers.ts';
import { isArchived } from '#core/archived.ts';
import { isSharedName } from '#core/people.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type CodeHost, HostRefused } from '#providers/code-host.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import { personGroupsOf, personLinksOf } from './groups.ts';
import { MAX_MAILMAP_BYTES, type MailmapEntry, parseMailmap } from './mailmap.ts';
import { personsLinked } from './topics.ts';

/**
 * Reads the `.mailmap` of the default branch of a repository and replaces its previous links. Idempotent. Throws
 * HostLimited and retryable errors.
 */
export async function readMailmap(services: Services, orgId: string, repositoryId: string): Promise<void> {
  const source = await maybeSource(services, orgId, repositoryId);
  const text = source && (await maybeText(source));
  if (text === undefined) return;
  const entries = parseMailmap(text);
  await services.database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) return;
    const before = await personLinksOf(tx, orgId, repositoryId);
    if (!(await replaceLinks(tx, orgId, repositoryId, await pairsOf(tx, orgId, repositoryId, entries)))) return;
    const changed = changedGroups(before, await personLinksOf(tx, orgId, repositoryId));
    for (const persons of changed)
      await services.topics.publish({ services, tx, orgId }, personsLinked, { persons, repositoryId });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgRepos', { repositoryId }));
  });
}

interface MailmapSource {
  host: CodeHost;
  ref: HostRef;
  branch: string;
}

async function maybeSource(
  services: Services,
  orgId: string,
  repositoryId: string,
): Promise<MailmapSource | undefined> {
  const row = await services.database.withOrg(orgId, async (tx) => {
    if (await isArchived(tx, orgId)) return undefined;
    return tx.db
      .selectFrom('repository')
      .where('org_id', '=', orgId)
      .where('id', '=', repositoryId)
      .where('tracked', '=', true)
      .where('removed_at', 'is', null)
      .select(['provider', 'installation_id', 'owner', 'name', 'default_branch'])
      .executeTakeFirst();
  });
  if (!row) return undefined;
  const host = await services.codeHosts.maybe(orgId, row.provider as Provider, row.installation_id);
  const ref = { installationId: row.installation_id, owner: row.owner, name: row.name };
  return host && { host, ref, branch: row.default_branch };
}

/**
 * Reads the file; empty if it is missing or too large. Undefined if the host denies access: the links then remain
 * unchanged.
 */
async function maybeText({ host, ref, branch }: MailmapSource): Promise<string | undefined> {
  try {
    const head = await host.headOf(ref, branch);
    const bytes = await fileAt(host, ref, head);
    return bytes.length > MAX_MAILMAP_BYTES ? '' : bytes.toString('utf8');
  } catch (error) {
    if (error instanceof HostRefused) return undefined;
    throw error;
  }
}

const fileAt = (host: CodeHost, ref: HostRef, commit: string): Promise<Buffer> =>
  host.readFile(ref, commit, '.mailmap').catch((error: unknown) => {
    if (error instanceof HostRefused && (error.status === 404 || error.status === 413)) return Buffer.alloc(0);
    throw error;
  });

type Pair = readonly [person: string, sameAs: string];

/** The pairs of persons that the entries link. Both addresses must be known, each of exactly one person. */
async function pairsOf(tx: Tx, orgId: string, repositoryId: string, entries: readonly MailmapEntry[]): Promise<Pair[]> {
  const mapped = entries.flatMap(({ properEmail, ...entry }) =>
    properEmail !== null && properEmail !== entry.commitEmail ? [{ ...entry, properEmail }] : [],
  );
  const emails = mapped.flatMap(({ commitEmail, properEmail }) => [commitEmail, properEmail]);
  const known = await personsOf(tx, orgId, repositoryId, emails);
  const pairs = mapped.flatMap(({ commitEmail, commitName, properEmail }): Pair[] => {
    const [one, other] = [known.get(commitEmail), known.get(properEmail)];
    if (!one || !other || one.id === other.id) return [];
    // Other contributors commit under this address too, so that it does not identify one person.
    return commitName === null || one.names.every((name) => name === commitName.toLowerCase())
      ? [[one.id, other.id]]
      : [];
  });
  return [...new Map(pairs.map((pair) => [pair.join(' '), pair])).values()];
}

interface PersonNames {
  id: string;
  /** Lower-case names: the first recorded one and the one of the commits to this repository. */
  names: readonly string[];
}

async function personsOf(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  emails: readonly string[],
): Promise<Map<string, PersonNames>> {
  const distinct = [...new Set(emails)].filter((value) => !isSharedName({ kind: 'email', value }));
  if (distinct.length === 0) return new Map();
  const rows = await tx.query<{ value: string; id: string; names: (string | null)[] }>({
    name: 'contributors.byEmail',
    text: `select i.value, i.person_id as id, array[i.display, c.name] as names from identity i
           left join contributor c on c.org_id = $1 and c.repository_id = $2 and c.person_id = i.person_id
           where i.org_id = $1 and i.kind = 'email' and i.value = any($3::text[])`,
    values: [orgId, repositoryId, distinct],
  });
  return new Map(
    rows.map(({ value, id, names }) => [value, { id, names: names.flatMap((name) => name?.toLowerCase() ?? []) }]),
  );
}

/** Returns whether any link changed. */
async function replaceLinks(tx: Tx, orgId: string, repositoryId: string, pairs: readonly Pair[]): Promise<boolean> {
  const values = [orgId, repositoryId, pairs.map(([person]) => person), pairs.map(([, sameAs]) => sameAs)];
  const removed = await tx.query({
    name: 'contributors.unlink',
    text: `delete from mailmap_link where org_id = $1 and repository_id = $2
             and (person_id, same_as) not in (select * from unnest($3::uuid[], $4::uuid[])) returning person_id`,
    values,
  });
  const added = await tx.query({
    name: 'contributors.link',
    text: `insert into mailmap_link (org_id, repository_id, person_id, same_as)
           select $1, $2, p.person_id, p.same_as from unnest($3::uuid[], $4::uuid[]) as p(person_id, same_as) order by 3, 4
           on conflict do nothing returning person_id`,
    values,
  });
  return removed.length + added.length > 0;
}

type Links = Parameters<typeof personGroupsOf>[0];

/** The groups that only one of the two sets of links produces. */
function changedGroups(before: Links, after: Links): (readonly string[])[] {
  const keysOf = (links: Links) =>
    new Map([...new Set(personGroupsOf(links).values())].map((group) => [group.join(' '), group] as const));
  const [old, fresh] = [keysOf(before), keysOf(after)];
  return [...old, ...fresh].flatMap(([key, group]) => (old.has(key) && fresh.has(key) ? [] : [group]));
}
