import { Readable } from 'node:stream';
import type { exportTools } from '@sightline/contract/tools.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { record } from '#core/audit.ts';
import { byteOrderMark, csvRow } from '#core/csv.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { type Line, linesOf } from './lines.ts';
import { rowsOf } from './queries.ts';
import { scopeOf } from './scope.ts';

/** Writes down that somebody takes the inventory away, then gives it batch by batch: no more than one is ever in memory. */
export async function exportInventory(
  services: Services,
  actor: Actor,
  filter: z.output<typeof exportTools.body>,
): Promise<FileAnswer> {
  const { orgId } = actor;
  const { slug, total } = await services.database.withOrg(orgId, async (tx) => {
    const { total } = await rowsOf(tx, await scopeOf(tx, actor), filter, { limit: 0, offset: 0 });
    const { search, users, ...plain } = filter;
    await record(tx, services.people, orgId, actor, {
      action: 'tool.exported',
      subject: { kind: 'organization', id: orgId },
      data: {
        tools: total,
        ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined && value.length > 0)),
        ...(search !== '' && { search }),
        ...(users.length > 0 && { users }),
      },
    });
    const { slug } = await tx.db
      .selectFrom('organization')
      .select('slug')
      .where('id', '=', orgId)
      .executeTakeFirstOrThrow();
    tx.afterCommit(() => services.realtime.tell(orgId, 'orgAudit', {}));
    return { slug, total };
  });
  const name = `tools-${filter.tab === 'developer' ? 'developer' : 'ci-cd'}-${slug}`;
  return {
    file: Readable.from(csvOf(batches(services, actor, filter, total), services.config.PUBLIC_URL), {
      objectMode: false,
    }),
    type: 'text/csv',
    name: `${name}-${new Date().toISOString().slice(0, 10)}.csv`,
    total,
  };
}

const batch = 200;

// Each batch is a transaction of its own: a slow reader holds no connection.
async function* batches(
  { database }: Services,
  actor: Actor,
  filter: z.output<typeof exportTools.body>,
  total: number,
): AsyncGenerator<Line[]> {
  for (let offset = 0; offset < total; offset += batch) {
    yield await database.withOrg(actor.orgId, async (tx) => {
      const scope = await scopeOf(tx, actor);
      const { rows } = await rowsOf(tx, scope, filter, { limit: Math.min(batch, total - offset), offset });
      return linesOf(tx, scope, filter, rows);
    });
  }
}

async function* csvOf(lines: AsyncIterable<Line[]>, publicUrl: string): AsyncGenerator<string> {
  yield `${byteOrderMark}${csvRow([...Object.keys(columns), 'link'])}`;
  for await (const some of lines) {
    yield some
      .map((line) =>
        csvRow([
          ...Object.values(columns).map((cell) => cell(line)),
          `${publicUrl}/tools/${encodeURIComponent(line.id)}`,
        ]),
      )
      .join('');
  }
}

const columns: Record<string, (line: Line) => string> = {
  tool: ({ name }) => name,
  vendor: ({ vendor }) => vendor ?? '',
  type: ({ kind }) => kind,
  categories: ({ categories }) => categories.join(', '),
  version: ({ version }) => version ?? '',
  sources: ({ sources }) => sources.join(', '),
  'first seen': ({ firstSeen }) => firstSeen,
  'last seen': ({ lastSeen }) => lastSeen,
  'in use': ({ inUse }) => (inUse ? 'yes' : 'no'),
  people: ({ allPeople }) => allPeople.join(', '),
  projects: ({ allProjects }) => allProjects.join(', '),
  id: ({ id }) => id,
};
