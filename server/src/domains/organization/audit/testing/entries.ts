import pg from 'pg';
import { inject } from 'vitest';
import type { TestServer } from '#testing/server.ts';

/** Connects without row-level security, to fill tables and to explain queries. */
export async function connectSuperuser(server: TestServer): Promise<pg.Client> {
  const { rows } = await server.services.database.pool.query<{ name: string }>('select current_database() as name');
  const url = new URL(inject('cluster').url);
  url.pathname = `/${rows[0]?.name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}

/**
 * Fills the log of an organization with one entry every ten seconds, by the given accounts in turn. Nine of ten entries
 * are sign-ins; every ten-thousandth enables a repository `acme/needle-<n>`.
 */
export async function fillAuditLog(
  client: pg.Client,
  orgId: string,
  accounts: readonly string[],
  count: number,
): Promise<void> {
  await client.query(
    `insert into audit_event (org_id, id, at, actor_kind, actor_id, action, subject_kind, subject_id, data, personal, address)
     select $1, gen_random_uuid(), timestamptz '2026-01-01' + make_interval(secs => n * 10), 'account',
       $2::text[][1 + n % cardinality($2::text[])],
       case when n % 10000 = 0 then 'repository.enabled' when n % 10 = 0 then 'member.role_changed' else 'login.succeeded' end,
       case when n % 10000 = 0 then 'repository' when n % 10 = 0 then 'member' else 'account' end,
       $2::text[][1 + (n / 7) % cardinality($2::text[])],
       case when n % 10000 = 0 then jsonb_build_object('fullName', 'acme/needle-' || n, 'before', '{"tracked":false}'::jsonb, 'after', '{"tracked":true}'::jsonb)
            when n % 10 = 0 then '{"before":{"role":"rol_contributor"},"after":{"role":"rol_auditor"}}'
            else '{"connection":"Username-Password-Authentication"}' end,
       '{"browser":"Firefox on Linux"}', '192.0.2.' || n % 250
     from generate_series(1, $3::int) as n`.replaceAll('$2::text[][', '($2::text[])['),
    [orgId, accounts, count],
  );
  await client.query('analyze audit_event');
}
