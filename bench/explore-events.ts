import pg from 'pg';
import { termOf } from '../server/src/features/events/words.ts';
import type { BenchServer } from './process.ts';

/** How often a word of this name is in an event: about so. */
const wordShares = { wcommon: 3, wmedium: 100, wrare: 100_000 } as const;

const vocabulary = 5000;

/**
 * Events of half a year in 20 organisations, half of them of the asking one, with people, repositories, words and fields;
 * written past the API, as its owner could not.
 */
export async function seedEvents({ superuserUrl, orgId }: BenchServer, total: number): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = '/sightline';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`set work_mem = '512MB'; set maintenance_work_mem = '512MB'; set synchronous_commit = off`);
  await client.query(
    "insert into organization (id, name, slug, display_name) select gen_random_uuid(), 'Other', 'other-' || n, 'Other' from generate_series(1, 19) n",
  );
  await seedNames(client, orgId);
  await client.query(
    `insert into event (org_id, id, as_of, received_at, kind, actor, repo, pr, source, summary, detail, leaf_hash, proof)
     select case when n % 2 = 0 then $1::uuid else o.ids[1 + n % 19] end, gen_random_uuid(), at, at,
       (array['commit','pull_request','web_page_view','vulnerability','other'])[1 + n % 5], md5((n % 400)::text)::uuid, md5((n % 101)::text)::uuid,
       case when n % 5 = 1 then 1 + n % 900 end, 'github',
       json_build_object('phrase', '{0} committed {1} to {2} in {3} {4}', 'parameters', json_build_array(
         json_build_object('kind','user','display','Person '||(n % 400),'ident','p'||(n % 400)),
         json_build_object('kind','sha','display',substr(md5(n::text),1,7),'ident',md5(n::text),'data',json_build_object('url','https://example.org/commit/'||md5(n::text))),
         json_build_object('kind','branch','display','main','ident','main'),
         json_build_object('kind','repository','display','acme/repo-'||(n % 101),'ident','acme/repo-'||(n % 101)),
         json_build_object('kind','text','display','Change number '||n,'ident',''))), '[]',
       sha256(n::text::bytea), gen_random_uuid()
     from (select array_agg(id) as ids from organization where id <> $1) o,
       (select n, timestamptz '2026-11-20' - n * (interval '180 days' / $2::int) as at from generate_series(1, $2::int) n) e`,
    [orgId, total],
  );
  await client.query('vacuum analyze event');
  await seedLists(client);
  await client.query('vacuum analyze posting_list');
  await client.query('delete from event_refield');
  await client.end();
}

async function seedNames(client: pg.Client, orgId: string): Promise<void> {
  await client.query(`insert into person (org_id, id) select $1, md5(n::text)::uuid from generate_series(0, 399) n`, [
    orgId,
  ]);
  await client.query(
    `insert into identity (org_id, kind, value, person_id, display, source, confidence)
     select $1, 'github', 'person-' || n, md5(n::text)::uuid, 'Person ' || n, 'github', 'declared' from generate_series(0, 399) n`,
    [orgId],
  );
  await client.query(
    `insert into repository (org_id, id, provider, provider_repo_id, installation_id, owner, name, full_name, default_branch, is_private, html_url, tracked)
     select $1, md5(n::text)::uuid, 'github', n, '1', 'acme', 'repo-' || n, 'acme/repo-' || n, 'main', true, 'https://code.example/acme/repo-' || n, true
     from generate_series(0, 100) n`,
    [orgId],
  );
}

/** About a dozen terms an event, as its own would be; ten days at a time, so that they are put together in memory. */
async function seedLists(client: pg.Client): Promise<void> {
  const words = Array.from({ length: vocabulary }, (_, place) => termOf(`word${place}`));
  const fixed = ['main', 'acme', 'repo', 'person', 'has\nbranch', 'has\nsha', 'branch\nmain', 'source\ngithub'].map(
    termOf,
  );
  const shares = Object.entries(wordShares).map(
    ([word, share]) => `array_remove(array[case when r.hash % ${share} = 0 then ${termOf(word)}::bigint end], null)`,
  );
  for (let day = 0; day < 190; day += 10) {
    await client.query(
      `insert into posting_list (org_id, term, hour, as_of, id)
       select org_id, term, hour, array_agg(as_of), array_agg(id) from (
         select e.org_id, e.as_of, e.id, floor(date_part('epoch', e.as_of) / 3600)::int as hour, t.term
         from event e
         cross join lateral (select ('x' || substr(e.id::text, 1, 7))::bit(28)::int as hash) r
         cross join lateral unnest($1::bigint[] ||
           ($2::bigint[])[1 + r.hash % ${vocabulary}] || ($2::bigint[])[1 + (r.hash / 7) % ${vocabulary}] ||
           ($2::bigint[])[1 + (r.hash / 11) % 50] || ${shares.join(' || ')}) as t(term)
         where e.as_of > timestamptz '2026-11-20' - $3 * interval '1 day' - interval '10 days'
           and e.as_of <= timestamptz '2026-11-20' - $3 * interval '1 day'
         group by 1, 2, 3, 4, 5) x
       group by 1, 2, 3`,
      [fixed, words, day],
    );
  }
}
