import type { Page } from '@sightline/contract/core/endpoint.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import type {
  ChatChannel,
  ChatMessage,
  ChatServiceName,
  listChatChannels,
  listChatMessages,
} from '@sightline/contract/delivery/chat.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';

type ChannelsQuery = z.output<typeof listChatChannels.query>;
type MessagesQuery = z.output<typeof listChatMessages.query>;

const sorts = {
  'name-asc': ['t.name', 'asc'],
  'name-desc': ['t.name', 'desc'],
  'date-desc': ['t.created_at', 'desc'],
  'date-asc': ['t.created_at', 'asc'],
} as const satisfies Record<ChannelsQuery['sort'], readonly ['t.name' | 't.created_at', 'asc' | 'desc']>;

/** Channels and people, with their health. */
export const selectTargets = ({ db }: Tx, orgId: string) =>
  db
    .selectFrom('chat_target as t')
    .leftJoin('chat_workspace as w', (join) =>
      join.onRef('w.org_id', '=', 't.org_id').onRef('w.service', '=', 't.service'),
    )
    .leftJoin('visible_account as a', 'a.id', 't.created_by')
    .where('t.org_id', '=', orgId)
    .select((eb) => [
      't.id',
      't.service',
      't.account_id',
      't.name',
      't.host',
      't.types',
      't.min_severity',
      't.repositories',
      't.enabled',
      't.failing_since',
      't.auto_disabled_at',
      't.problem',
      't.limited',
      't.resumes_at',
      't.last_delivered_at',
      't.created_by',
      't.created_at',
      'a.name as creator',
      sql<boolean>`t.service = 'slack' and (w.org_id is null or w.problem is not null)`.as('waits'),
      eb
        .selectFrom('chat_message as m')
        .whereRef('m.org_id', '=', 't.org_id')
        .whereRef('m.target_id', '=', 't.id')
        .where('m.status', '=', 'pending')
        .select(sql<number>`count(*)::int`.as('count'))
        .as('pending'),
    ]);

export type TargetRow = Awaited<ReturnType<ReturnType<typeof selectTargets>['execute']>>[number];

/** One page of the channels of the organization. */
export async function listChannels(tx: Tx, orgId: string, query: ChannelsQuery): Promise<Page<ChatChannel[]>> {
  const [column, direction] = sorts[query.sort];
  const { rows, total } = await fetchPage(
    selectTargets(tx, orgId)
      .where('t.account_id', 'is', null)
      .$if(query.service.length > 0, (q) => q.where('t.service', 'in', query.service))
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('t.name'), query.search)))
      .orderBy(column, direction)
      .orderBy('t.id'),
    query,
  );
  return { rows: rows.map(channelOf), total };
}

/** One channel. Throws 404. */
export async function findChannel(tx: Tx, orgId: string, id: string): Promise<ChatChannel> {
  const row = await selectTargets(tx, orgId)
    .where('t.account_id', 'is', null)
    .where('t.id', '=', id)
    .executeTakeFirst();
  if (!row) throw NotFound('Chat channel');
  return channelOf(row);
}

const channelOf = (row: TargetRow): ChatChannel => ({
  id: row.id,
  service: row.service as ChatServiceName,
  name: row.name,
  host: row.host,
  types: row.types,
  minSeverity: severities[row.min_severity] ?? 'info',
  repositories: row.repositories,
  ...healthOf(row),
  createdBy: { id: row.created_by, name: row.creator ?? 'Former member' },
  createdAt: row.created_at.toISOString(),
});

/** The health of a channel or person. */
export const healthOf = (row: TargetRow) => {
  const state = stateOf(row);
  const isDelayed = (state === 'limited' || state === 'failing') && row.resumes_at > new Date();
  return {
    state,
    problem: row.problem,
    failingSince: row.failing_since?.toISOString() ?? null,
    resumesAt: isDelayed ? row.resumes_at.toISOString() : null,
    lastDeliveredAt: row.last_delivered_at?.toISOString() ?? null,
    pending: row.pending ?? 0,
  };
};

function stateOf(row: TargetRow): ChatChannel['state'] {
  if (!row.enabled) return row.auto_disabled_at === null ? 'off' : 'auto_disabled';
  if (row.waits) return 'waiting';
  if (row.limited) return 'limited';
  return row.failing_since === null ? 'active' : 'failing';
}

/** One page of the messages to a channel. Throws 404. */
export async function listMessages(
  tx: Tx,
  orgId: string,
  channelId: string,
  query: MessagesQuery,
): Promise<Page<ChatMessage[]>> {
  await findChannel(tx, orgId, channelId);
  const { rows, total } = await fetchPage(
    tx.db
      .selectFrom('chat_message as m')
      .where('m.org_id', '=', orgId)
      .where('m.target_id', '=', channelId)
      .$if(query.status.length > 0, (q) => q.where('m.status', 'in', query.status))
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('m.title'), query.search)))
      .select(['m.id', 'm.type', 'm.title', 'm.status', 'm.digest', 'm.failure', 'm.created_at', 'm.delivered_at'])
      .orderBy('m.created_at', query.sort === 'date-asc' ? 'asc' : 'desc')
      .orderBy('m.id'),
    query,
  );
  return {
    rows: rows.map((row) => ({
      id: row.id,
      type: row.type,
      title: row.title,
      status: row.status as ChatMessage['status'],
      digest: row.digest,
      failure: row.failure,
      createdAt: row.created_at.toISOString(),
      deliveredAt: row.delivered_at?.toISOString() ?? null,
    })),
    total,
  };
}

/** The workspace of an organization with its secrets, sealed; undefined if Slack is not connected. */
export const maybeWorkspace = ({ db }: Tx, orgId: string) =>
  db
    .selectFrom('chat_workspace')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('service', '=', 'slack')
    .executeTakeFirst();

/** The health of a service for its card: of channels and people together, without names. */
export async function findChatHealth(tx: Tx, orgId: string, service: ChatServiceName) {
  const workspace = service === 'slack' ? await maybeWorkspace(tx, orgId) : undefined;
  const rows = await selectTargets(tx, orgId).where('t.service', '=', service).execute();
  const channels = rows.filter(({ account_id: person }) => person === null);
  const states = channels.map(stateOf);
  const count = (...wanted: ChatChannel['state'][]) => states.filter((state) => wanted.includes(state)).length;
  const times = (pick: (row: TargetRow) => Date | null) => rows.flatMap((row) => pick(row)?.getTime() ?? []);
  const delivered = times((row) => row.last_delivered_at);
  const limited = channels.filter((row) => stateOf(row) === 'limited').map((row) => row.resumes_at.getTime());
  return {
    workspace: workspace && { team: workspace.team, problem: workspace.problem },
    channels: channels.length,
    people: rows.length - channels.length,
    failing: count('failing', 'auto_disabled'),
    /** The problem of one failing channel. */
    problem: channels.find((row) => row.failing_since !== null)?.problem ?? null,
    limited: limited.length,
    limitedUntil: limited.length === 0 ? null : new Date(Math.max(...limited)),
    pending: rows.reduce((sum, row) => sum + (row.pending ?? 0), 0),
    lastDeliveredAt: delivered.length === 0 ? null : new Date(Math.max(...delivered)),
  };
}
