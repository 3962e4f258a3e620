import type { Parameter } from '@sightline/contract/timeline/events.ts';
import { type EventTexts, shortEventTexts } from '../../server/src/core/event-text.ts';
import { hashTerm } from '../../server/src/domains/timeline/events/terms.ts';
import { hasShaTerm, markedWordIntervals, vocabularyCounts } from './vocabulary.ts';

/** The last day of the half year of events. */
export const lastDay = '2026-11-20';
export const days = 180;

/** The kinds of events, most frequent first, and their shares. */
const shares: readonly (readonly [kind: string, share: number])[] = [
  ['commit', 0.34],
  ['web_page_view', 0.25],
  ['ide_clipboard', 0.14],
  ['browser_clipboard', 0.1],
  ['pull_request', 0.09],
  ['vulnerability', 0.05],
  ['tool', 0.02],
  ['other', 0.007],
  ['member', 0.002],
  ['policy', 0.001],
];
/** The kinds with a ledger entry for each event. Others are in batches of an extension. */
const factKinds = ['commit', 'pull_request', 'vulnerability', 'member', 'policy'].map((kind) => `'${kind}'`).join(', ');
const isoSql = (time: string) => `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const kinds = shares.map(([kind]) => `'${kind}'`).join(', ');
const ends = shares.slice(1).map((_, place) => shares.slice(0, place + 1).reduce((sum, [, share]) => sum + share, 0));

/**
 * Pseudorandom numbers that are the same in each run: a share between 0 and 1, and an index below a limit, skewed to
 * low ones.
 */
export const helperFunctionsSql = `
  create function pg_temp.share(n bigint, seed int) returns float8 language sql immutable
    return (hashint8extended(n, seed) & 1048575) / 1048576.0::float8;
  create function pg_temp.place(n bigint, seed int, many int, skew int) returns int language sql immutable
    return floor(many * power(pg_temp.share(n, seed), skew))::int;
  -- A UUID of version 8, whose content is free.
  create function pg_temp.id(name text) returns uuid language sql immutable
    return overlay(overlay(md5(name) placing '8' from 13 for 1) placing '8' from 17 for 1)::uuid;`;

const titleWords = 4;
const inTitle = Array.from({ length: titleWords }, (_, each) => `w${each}`);
// Each position of a title has its own words, so that a title contains no word twice.
const wordPlaces = inTitle.map(
  (name, each) =>
    `pg_temp.place(n, ${20 + each}, ${vocabularyCounts.word / titleWords}, 3) * ${titleWords} + ${each} as ${name}`,
);
const marked = Object.entries(markedWordIntervals).map(
  ([word, share], each) => `hashint8extended(n, ${40 + each}) % ${share} = 0 as ${word}`,
);

/** The temporary tables in which a connection prepares a chunk. */
export const temporaryTablesSql = `
  create temp table chosen (n bigint, org_id uuid, id uuid, as_of timestamptz, kind text, in_code boolean, on_site boolean,
    person int, repository int, pr int, branch int, file int, changed int, site int, tool int, severity int, status int, source int, sha text,
    ${inTitle.map((name) => `${name} int`).join(', ')}, ${Object.keys(markedWordIntervals)
      .map((word) => `${word} boolean`)
      .join(', ')});
  create temp table made (n bigint, org_id uuid, id uuid, as_of timestamptz, kind text, actor uuid, repo uuid, pr int, source text,
    summary text, detail text, terms bigint[]);`;

/**
 * Chooses the events $3 to $4 of $1, counted from the newest: their organization, time, and the indexes of their items.
 * The share $5 of them belongs to the organization $2, the others to all other organizations alike.
 */
export const chooseEventsSql = `
  insert into chosen
  select n, case when pg_temp.share(n, 0) < $5::float8 then $2::uuid else o.ids[1 + pg_temp.place(n, 11, cardinality(o.ids), 1)] end, pg_temp.id(n::text),
    timestamptz '${lastDay}' - n * (interval '${days} days' / $1::float8), (array[${kinds}])[1 + kind], kind in (0, 2, 4, 5, 6), kind in (1, 3),
    pg_temp.place(n, 2, ${vocabularyCounts.person}, 3), pg_temp.place(n, 3, ${vocabularyCounts.repository}, 2), 1 + pg_temp.place(n, 4, 900, 1),
    pg_temp.place(n, 5, ${vocabularyCounts.branch}, 4), pg_temp.place(n, 6, ${vocabularyCounts.file}, 2), pg_temp.place(n, 12, ${vocabularyCounts.file}, 2), pg_temp.place(n, 7, ${vocabularyCounts.site}, 3),
    pg_temp.place(n, 8, ${vocabularyCounts.tool}, 2), pg_temp.place(n, 9, 5, 2), pg_temp.place(n, 10, 5, 1),
    case kind when 1 then 1 when 2 then 2 when 3 then 4 when 5 then 3 else 0 end,
    case when kind = 0 then md5('sha' || n) || substr(md5(n::text), 1, 8) end,
    ${[...wordPlaces, ...marked].join(', ')}
  from (select array_agg(id order by id) as ids from organization where id <> $2::uuid) o,
    (select n, width_bucket(pg_temp.share(n, 1), array[${ends.join(', ')}]::float8[]) as kind from generate_series($3::bigint, $4::bigint) n) e`;

const sorts = ['person', 'repository', 'branch', 'file', 'changed', 'site', 'tool', 'severity', 'status', 'source'];
const joins = [
  ...sorts.map((sort) => `join bench_thing ${sort} on ${sort}.sort = '${sort}' and ${sort}.place = c.${sort}`),
  ...inTitle.map((name) => `join bench_word ${name} on ${name}.place = c.${name}`),
].join(' ');

const labeled = (kind: Parameter['kind'], item: string): Parameter => ({
  kind,
  display: `<${item}.display>`,
  ident: `<${item}.name>`,
});
const named = (kind: Parameter['kind'], item: string): Parameter => ({
  kind,
  display: `<${item}.name>`,
  ident: `<${item}.name>`,
});
const user = labeled('user', 'person');
const repository = named('repository', 'repository');
const sha: Parameter = {
  kind: 'sha',
  display: '<substr(c.sha, 1, 7)>',
  ident: '<c.sha>',
  data: { url: 'https://code.example.org/<repository.name>/commit/<c.sha>' },
};
const pullRequest: Parameter = {
  kind: 'pr',
  display: '<repository.name>#<c.pr>',
  ident: '<c.pr>',
  data: { repository: '<repository.name>' },
};

/** The texts of an event in their stored form, as SQL. Expressions of SQL stand in angle brackets. */
function textsSql(phrase: string, ...parameters: Parameter[]): EventTexts {
  const message: Parameter = { kind: 'text', display: '<title>', ident: '' };
  const { summary, detail } = shortEventTexts({
    summary: JSON.stringify({ phrase, parameters: [...parameters, message] }),
    detail: JSON.stringify([
      { label: 'Message', parameter: message },
      { label: 'Author', parameter: user },
    ]),
  });
  const sqlOf = (text: string) => `'${text.replaceAll(/<([^>]+)>/g, "' || $1 || '")}'`;
  return { summary: sqlOf(summary), detail: sqlOf(detail) };
}

const textsByCase: readonly [condition: string, texts: EventTexts][] = [
  [
    "when c.kind = 'commit' then",
    textsSql('{0} committed {1} to {2} in {3} {4}', user, sha, named('branch', 'branch'), repository),
  ],
  ["when c.kind = 'pull_request' then", textsSql('{0} <status.name> {1} in {2} {3}', user, pullRequest, repository)],
  ['when c.on_site then', textsSql('{0} viewed a file on {1} {2}', user, named('website', 'site'))],
  [
    "when c.kind = 'ide_clipboard' then",
    textsSql('{0} copied from {1} in {2} {3}', user, named('file', 'file'), repository),
  ],
  ['else', textsSql('{0} used {1} {2}', user, named('tool', 'tool'))],
];
const casesSql = (text: keyof EventTexts) =>
  `case ${textsByCase.map(([condition, texts]) => `${condition} ${texts[text]}`).join('\n      ')} end`;

const title = [
  `w0.word`,
  ...inTitle.slice(1).map((name) => `' ' || ${name}.word`),
  ...Object.keys(markedWordIntervals).map((word) => `case when c.${word} then ' ${word}' else '' end`),
].join(' || ');
const ownTerms = [
  'person.terms',
  'source.terms',
  ...inTitle.map((name) => `${name}.term`),
  ...Object.keys(markedWordIntervals).map((word) => `case when c.${word} then ${hashTerm(word)} end`),
].join(' || ');

/**
 * Builds rows and terms of the chosen events as the product does. $1 are the terms of sha prefixes, $2 those of pull
 * requests and $3 of numbers. The term of a full sha is a hash of the row instead, unique like that of the product.
 */
export const buildEventsSql = `
  insert into made
  select c.n, c.org_id, c.id, c.as_of, c.kind, pg_temp.id('person' || c.person),
    case when c.in_code then pg_temp.id('repository' || c.repository) end, case when c.kind = 'pull_request' then c.pr end, source.name,
    ${casesSql('summary')},
    ${casesSql('detail')},
    ${ownTerms} || case when c.in_code then repository.terms end || case
      when c.kind = 'commit' then branch.terms || changed.terms || ($1::bigint[])[1 + ('x' || substr(c.sha, 1, 4))::bit(16)::int] || ${hasShaTerm}
        || (hashint8extended(c.n, 77) & 9007199254740991)
      when c.kind = 'pull_request' then branch.terms || status.terms || ($2::bigint[])[1 + c.pr] || ($3::bigint[])[1 + c.pr]
      when c.on_site then site.terms
      when c.kind = 'ide_clipboard' then file.terms || branch.terms
      when c.kind = 'vulnerability' then severity.terms || status.terms || tool.terms || branch.terms
      else tool.terms
    end
  from chosen c ${joins} cross join lateral (select ${title} as title offset 0) t`;

/** A table of events: their own, or that of a month that goes to segments. */
type EventTable = 'event' | 'bench_month';

export const insertEventsSql = (table: EventTable) => `
  insert into ${table} (org_id, id, as_of, received_at, kind, actor, repo, pr, source, summary, detail, leaf_hash, proof${table === 'bench_month' ? ', terms' : ''})
  select org_id, id, as_of, as_of + interval '2 seconds', kind, actor, repo, pr, source, summary, detail,
    sha256(int8send(n)), case when kind = any(array[${factKinds}]) then id else pg_temp.id('batch' || org_id || n / (case when org_id = $1 then 200 else 3800 end)) end${table === 'bench_month' ? ', terms' : ''}
  from made order by n desc`;

/**
 * The ledger entries and tiles of the events, in an epoch of their own that no process writes: one per fact of a code host or
 * of the product, and one per batch of an extension.
 */
export const insertLedgerEntriesSql = (table: EventTable) => `
  -- Once per organization: a lookup per row would pass all rows that this statement has inserted.
  with log as materialized (select org_id, max(leaf_index) + 1 as size from ledger_entry where epoch = 0 group by 1)
  insert into ledger_entry (org_id, epoch, leaf_index, leaf_hash, entry_id, kind, packed)
  select org_id, 0, row_number() over (partition by org_id order by at, entry_id) - 1 + coalesce(size, 0), sha256(convert_to(entry, 'UTF8')), entry_id, kind,
    pack_entry(org_id, entry_id, kind, entry) from (
    select org_id, id as entry_id, received_at as at, 'event.' || kind as kind,
      format('{"_sd":["%s"],"_sd_alg":"sha-256","asOf":"%s","id":"%s","kind":"event.%s","org":"%s","person":"%s","receivedAt":"%s","source":"%s","subject":{"pullRequest":%s,"repository":%s},"v":1}',
        left(translate(encode(leaf_hash, 'base64'), '+/=', '-_'), 43), ${isoSql('as_of')}, id, kind, org_id, actor, ${isoSql('received_at')}, source,
        coalesce(pr::text, 'null'), coalesce('"' || repo || '"', 'null')) as entry
    from ${table} where proof = id
    union all
    select org_id, proof, max(received_at), 'event.batch',
      format('{"asOf":"%s","id":"%s","kind":"event.batch","org":"%s","person":null,"receivedAt":"%s","source":"ingest","subject":{"count":%s,"root":"%s"},"v":1}',
        ${isoSql('max(received_at)')}, proof, org_id, ${isoSql('max(received_at)')}, count(*), left(translate(encode(sha256(proof::text::bytea), 'base64'), '+/=', '-_'), 43))
    from ${table} where proof <> id group by org_id, proof) e left join log using (org_id)`;
export const insertLedgerTilesSql = `
  insert into ledger_tile (org_id, epoch, level, n, hashes)
  select org_id, 0, 0, leaf_index / 256, string_agg(leaf_hash, '' order by leaf_index) from ledger_entry where epoch = 0 group by 1, 4`;

export const insertPostingListsSql = `
  insert into posting_list (org_id, term, hour, as_of, id)
  select org_id, term, hour, array_agg(as_of), array_agg(id)
  from (
    select t.term, floor(date_part('epoch', m.as_of) / 3600)::int as hour, m.org_id, m.as_of, m.id
    -- Two parts of an event may contain the same word.
    from made m cross join lateral (select distinct unnest(m.terms)) as t(term) where t.term is not null order by 1, 2, 3
  ) p group by term, hour, org_id
  -- In the order of time, as the indexing job writes them.
  order by hour`;

export const insertHourlyTotalsSql = (table: EventTable) => `
  insert into event_hour_kind (org_id, hour, kind, n)
  select org_id, floor(date_part('epoch', as_of) / 3600)::int, kind, count(*) from ${table} group by 1, 2, 3`;
