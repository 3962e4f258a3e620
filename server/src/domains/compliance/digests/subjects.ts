import type { Tx } from '#database/database.ts';
import type { DigestBody } from './body.ts';

interface SubjectInfo {
  title: string;
  /** The page of the item. */
  link: string | null;
  /** The contributors of the item, who cannot sign it off. */
  persons: readonly string[];
}

interface ChangeRow {
  id: string;
  number: number | null;
  title: string | null;
  sha: string | null;
  persons: string[];
}

/** Describes flagged items: changes by pull request, findings by title, others by their subject. */
export async function describeSubjects(
  tx: Tx,
  orgId: string,
  { flags }: DigestBody,
): Promise<(subject: string) => SubjectInfo> {
  const [changes, findings] = [idsOf(flags, 'change'), idsOf(flags, 'finding')];
  const known = new Map<string, SubjectInfo>();
  const changeRows = await tx.query<ChangeRow>({
    name: 'digests.changes',
    text: `select distinct on (c.id) c.id, c.number, p.title, c.merge_sha as sha, c.authors as persons
           from change_record c
           left join pull_request p on p.org_id = c.org_id and p.repository_id = c.repository_id and p.number = c.number
           where c.org_id = $1 and c.id = any($2::uuid[]) order by c.id, c.version desc`,
    values: [orgId, changes],
  });
  for (const { id, number, title, sha, persons } of changeRows) {
    const name = number === null ? `Direct push ${(sha ?? '').slice(0, 7)}` : `#${number} ${title ?? ''}`.trim();
    known.set(`change:${id}`, { title: name, link: `/changes/${id}`, persons });
  }
  const found = await tx.query<{ id: string; title: string }>({
    name: 'digests.findings',
    text: `select f.id, t.title from finding f join finding_title t on t.org_id = f.org_id and t.id = f.title_id
           where f.org_id = $1 and f.id = any($2::uuid[])`,
    values: [orgId, findings],
  });
  for (const { id, title } of found) {
    known.set(`finding:${id}`, { title, link: `/vulnerabilities/${id}`, persons: [] });
  }
  return (subject) => known.get(subject) ?? { title: subject, link: null, persons: [] };
}

const idsOf = (flags: DigestBody['flags'], kind: string): string[] =>
  flags.flatMap(({ subject }) => (subject.startsWith(`${kind}:`) ? [subject.slice(kind.length + 1)] : []));
