import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { recordSightings, type ToolSightingInput } from '../domains/tools/tools/record-sightings.ts';

export interface SeededTool {
  toolId: string;
}

interface ToolFixture {
  orgId: string;
  repositoryId: string;
  name: string;
  commit: string;
  /** The account that uses the tool. */
  owner: string;
}

/** Inserts a tool detected in a workflow of a repository and in the editor of its owner. */
export async function insertTool(
  tx: Tx,
  { orgId, repositoryId, name, commit, owner }: ToolFixture,
): Promise<SeededTool> {
  const at = new Date();
  const toolId = `action:${name}/deploy`;
  const of = { org_id: orgId, repository_id: repositoryId };
  const { person_id: personId } = await tx.db
    .selectFrom('identity')
    .select('person_id')
    .where('org_id', '=', orgId)
    .where('kind', '=', 'account')
    .where('value', '=', owner)
    .executeTakeFirstOrThrow();
  const seen = {
    entry: {
      id: toolId,
      name: `${name}/deploy`,
      vendor: name,
      icon: null,
      kind: 'ci-action',
      categories: ['Deployment'],
    },
    source: 'github-actions',
    at,
  } as const satisfies Omit<ToolSightingInput, 'tab'>;
  await tx.db
    .insertInto('tool_scan')
    .values({ ...of, state: 'done', commit_sha: commit, scanned_at: at })
    .execute();
  await tx.db
    .insertInto('tool_detection')
    .values({
      ...of,
      id: newId(),
      tool_id: toolId,
      source: 'github-actions',
      path: '.github/workflows/build.yml',
      line: 7,
      text: `uses: ${name}/deploy@v1`,
      version: 'v1',
      commit_sha: commit,
      added_by: name,
      person_id: personId,
      confidence: 'observed',
      first_seen: at,
      last_seen: at,
    })
    .execute();
  await recordSightings(tx, orgId, [
    { ...seen, tab: 'ci/cd', repositoryId, version: 'v1' },
    { ...seen, tab: 'developer', source: 'vscode', personId, program: 'vscode' },
  ]);
  return { toolId };
}
