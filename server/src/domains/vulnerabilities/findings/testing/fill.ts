import type pg from 'pg';

interface Size {
  orgId: string;
  /** Prefix of the repository names. */
  mark: string;
  repositories: number;
  findings: number;
  titles: number;
  /** When the newest finding was discovered and fixed. */
  until?: string;
  /** Whether indexes and counts of findings are created after millions of rows, and not maintained with each. */
  isBulk?: boolean;
}

type Client = Pick<pg.Client, 'query'>;

/** SQL that derives a valid UUID from a text. */
const uuid = (text: string) => `overlay(overlay(md5(${text}) placing '8' from 13) placing '8' from 17)::uuid`;

/**
 * Inserts findings like those of years of scans, without the intake: a few repositories have most of them, most titles
 * have one severity, and a scan finds many at the same time. The database maintains the counts.
 */
export async function fillFindings(client: Client, size: Size): Promise<void> {
  const { orgId, mark, repositories, findings, titles, until = '2026-11-01', isBulk = false } = size;
  const run = (text: string, values: unknown[]) => client.query(text, values);
  await run(
    `insert into repository (org_id, id, provider, provider_repo_id, installation_id, owner, name, full_name, default_branch,
       is_private, html_url, tracked, last_change)
     select $1, ${uuid(`$2 || 'repository' || n`)}, 'github', $2 || n, '1', $2, 'r' || n, $2 || '/r' || n, 'main', true,
       'https://example.org/' || $2 || '/r' || n, true, now() - n * interval '1 hour' from generate_series(1, $3::int) n`,
    [orgId, mark, repositories],
  );
  await run(
    `insert into finding_tool (org_id, tool, name)
     select $1, tool, initcap(tool) from unnest(array['codeql', 'semgrep', 'checkmarx', 'trivy', 'gitleaks', 'checkov', 'scorecard']) tool`,
    [orgId],
  );
  await run(
    `insert into finding_title (org_id, id, title)
     select $1, ${uuid(`$2 || 'title' || n`)}, (array['SQL injection', 'Cross-site scripting', 'Outdated package', 'Hard-coded token',
       'Open bucket', 'Path traversal', 'Weak hash'])[1 + n % 7] || ' in ' || (array['a query', 'the template', 'a request',
       'the log', 'a header'])[1 + n % 5] || ' ' || n from generate_series(1, $3::int) n`,
    [orgId, mark, titles],
  );
  const finishBulk = isBulk ? await beginBulk(client, orgId) : undefined;
  await run(
    `insert into finding (org_id, id, repository_id, title_id, severity, category, tools, data_source, status, fingerprint, ref,
       path, line, end_line, commit_sha, cwes, codes, discovered_at, introduced, fixed_at, component, assignee_id)
     select $1, ${uuid(`$2 || 'finding' || n`)}, ${uuid(`$2 || 'repository' || (1 + floor($3 * power(r, 2)))::int`)},
       ${uuid(`$2 || 'title' || t`)}, case when n % 50 = 0 then n % 5 else (array[2, 1, 2, 3, 0, 2, 3, 4, 1, 3])[1 + t % 10] end,
       l.category, l.tools, l.tools[1],
       case when n % 10 < 7 then 'open' when n % 10 < 9 then 'fixed' when n % 40 = 9 then 'exception' else 'dismissed' end,
       ${uuid(`$2 || 'print' || n`)}, 'refs/heads/main', 'src/' || n % 977 || '/file' || n % 31 || '.ts', 1 + n % 900, null,
       md5((n % 50)::text) || '00000000', array[t % 900], '[]',
       date_trunc('hour', $6::timestamptz - (n * 7919::bigint % 9600) * interval '1 hour'),
       case when n % 3 = 0 then jsonb_build_object('commit', md5(n::text), 'pullRequest', null, 'actor',
         jsonb_build_object('name', 'Dev', 'login', 'Dev-' || n % 101), 'agent', null, 'at', '2026-01-01T00:00:00Z', 'confidence', 'observed',
         'reason', '') end,
       case when n % 10 between 7 and 8 then $6::timestamptz - (n * 7919::bigint % 9600) * interval '20 minutes' end,
       case when l.category in ('sca', 'container') then 'package-' || n % 500 end,
       case when n % 5 = 0 then ${uuid(`'assignee' || n % 40`)} end
     from (select n, (n * 7907::bigint % 100003) / 100003.0 as r, 1 + (n * 104729::bigint % $5)::int as t from generate_series(1, $4::int) n) f
     cross join lateral (select
       case when n % 1000 = 1 then 'scorecard' else (array['sast', 'sast', 'sca', 'sast', 'container', 'sast', 'iac', 'secret'])[1 + t % 8] end as category
     ) c
     cross join lateral (select c.category, case c.category when 'sast' then case when n % 3 = 0 then '{codeql}' when n % 3 = 1 then '{semgrep}'
         when n % 11 = 0 then '{checkmarx,codeql}' else '{checkmarx}' end
       when 'sca' then '{trivy}' when 'container' then '{trivy}' when 'iac' then '{checkov}' when 'secret' then '{gitleaks}'
       else '{scorecard}' end::text[] as tools) l`,
    [orgId, mark, repositories, findings, titles, until],
  );
  await run(
    `insert into finding_label (org_id, finding_id, label, status, lane, discovered_at, repository_id, title_id)
     select $1, id, 'team-' || abs(hashtext(id::text)) % 20, status, lane, discovered_at, repository_id, title_id
     from finding where org_id = $1 and status = 'open'`,
    [orgId],
  );
  await finishBulk?.();
  await run(
    `insert into finding_count (org_id, repository_id, title_id, status, severity, category, tools, count)
     select org_id, repository_id, title_id, status, severity, category, tools, count(*)::int from finding where org_id = $1
     group by 1, 2, 3, 4, 5, 6, 7`,
    [orgId],
  );
  await run(
    `insert into finding_day (org_id, day, repository_id, severity, category, tools, change)
     select $1, (now() at time zone 'UTC')::date - d, repository_id, severity, category, tools, 1 + d % 3
     from (select distinct repository_id, severity, category, tools from finding_count where org_id = $1 and status = 'open') c
     cross join generate_series(1, 40) d
     where ('x' || left(md5(repository_id::text || tools::text || severity || d), 6))::bit(24)::int % 20 = 0`,
    [orgId],
  );
  await run(
    `insert into finding_lane_day (org_id, day, lane, change)
     select org_id, day, finding_lane(severity, category, tools), sum(change) from finding_day where org_id = $1 group by 1, 2, 3`,
    [orgId],
  );
  await run(
    `insert into scan (org_id, id, repository_id, source, tool, tool_name, category, ref, analysis, complete, state, counts, actor_kind,
       actor_id, received_at, finished_at)
     select $1, ${uuid(`$2 || 'scan' || r || tool || n`)}, ${uuid(`$2 || 'repository' || r`)}, 'sarif', tool, initcap(tool), '', 'refs/heads/main',
       ${uuid(`$2 || 'analysis' || r || tool`)}, true, 'done', '{"new":3,"unchanged":9,"fixed":1,"reopened":1,"rejected":0}', 'system', 'fill', at, at
     from generate_series(1, $3::int) r cross join unnest(array['codeql', 'semgrep', 'trivy']) tool cross join generate_series(1, 20) n
     cross join lateral (select now() - n * interval '12 hours' - r * interval '1 minute' as at) a`,
    [orgId, mark, repositories],
  );
}

/** Drops the indexes of findings and stops their triggers. Returns a function that does what they would have done. */
async function beginBulk(client: Client, orgId: string): Promise<() => Promise<void>> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'public' and tablename in ('finding', 'finding_label') and indexname not like '%_pkey'`,
  );
  await client.query(
    `set session_replication_role = replica; set maintenance_work_mem = '512MB'; set work_mem = '256MB'`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return async () => {
    for (const { definition } of indexes) await client.query(definition);
    await client.query(
      `insert into finding_discovered (org_id, status, lane, day, count)
       select org_id, status, lane, (discovered_at at time zone 'UTC')::date, count(*) from finding where org_id = $1 group by 1, 2, 3, 4`,
      [orgId],
    );
    await client.query(
      `insert into finding_facet_count (org_id, facet, value, status, lane, count)
       select $1::uuid, facet, value, status, lane, count(*) from (
         select v.facet, v.value, f.status, f.lane from finding f cross join lateral (values ('assignee', f.assignee_id::text),
           ('component', f.component), ('fixed', to_char(f.fixed_at at time zone 'UTC', 'YYYY-MM-DD'))) as v(facet, value)
         where f.org_id = $1 and v.value is not null
         union all select 'label', label, status, lane from finding_label where org_id = $1
       ) each_finding group by 2, 3, 4, 5`,
      [orgId],
    );
    await client.query('insert into finding_version (org_id, version) values ($1, gen_random_uuid())', [orgId]);
    await client.query('reset maintenance_work_mem; reset work_mem; set session_replication_role = origin');
  };
}
