import pg from 'pg';
import { newId } from '#core/ids.ts';
import { superuserUrl, type TestServer } from '#testing/server.ts';
import { mappingHash } from '../domains/compliance/frameworks/definition.ts';
import type { Seed } from './seeded.ts';

/** An imported framework with one mapped requirement, which another owner mapped. */
export interface SeededFramework {
  frameworkId: string;
}

const nameOf = ({ name }: { name: string }) => `Profile of ${name}`;
const requirement = { id: 'cm-3', title: 'Configuration Change Control' };
const mapping = { requirement: 'cm-3', control: 'CHG-01', rationale: 'Changes are approved.' } as const;

/** The hash of the mappings of the seeded framework. */
export const seededMappingHash = (org: { name: string }): Buffer =>
  mappingHash({
    id: '',
    name: nameOf(org),
    kind: 'imported',
    source: '',
    identifiers: null,
    hasPublishedTitles: true,
    requirements: [{ ...requirement, controls: [{ id: mapping.control, rationale: mapping.rationale }], gap: null }],
    version: 1,
    changed: null,
  });

/** Restores the framework after changes. Only a superuser can delete mappings and approvals. */
export async function resetFrameworks(server: TestServer, { org, frameworkId, secondOwner }: Seed): Promise<void> {
  const [state] = await server.services.database.withOrg(org.id, (tx) =>
    tx.query<{ isSeeded: boolean }>({
      name: '',
      text: `select (select array_agg(id) from framework where org_id = $1 and removed_at is null) = array[$2::uuid]
               and (select array_agg(version) from framework_mapping where org_id = $1) = array[1]
               and not exists (select from framework_approval where org_id = $1)
               and not exists (select from framework_requirement where org_id = $1) as "isSeeded"`,
      values: [org.id, frameworkId],
    }),
  );
  if (state?.isSeeded) return;
  const client = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await client.connect();
  try {
    for (const table of ['framework_approval', 'framework_requirement', 'framework_mapping', 'framework']) {
      await client.query(`delete from ${table} where org_id = $1`, [org.id]);
    }
    await client.query(
      `insert into framework (org_id, id, name, source, requirements, document_sha256, imported_by) values ($1, $2, $3, 'Profile, version 1', $4, sha256(''), $5)`,
      [org.id, frameworkId, nameOf(org), JSON.stringify([requirement]), secondOwner.id],
    );
    await client.query(
      `insert into framework_mapping (org_id, framework_id, version, mappings, sha256, changed_by, entry_id) values ($1, $2, 1, $3, $4, $5, $6)`,
      [org.id, frameworkId, JSON.stringify([mapping]), seededMappingHash(org), secondOwner.id, newId()],
    );
  } finally {
    await client.end();
  }
}
