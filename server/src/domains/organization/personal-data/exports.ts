import type { Actor } from '#core/actor.ts';
import { type EventTexts, parsedEventTexts } from '#core/event-text.ts';
import { recordExport } from '#core/exports.ts';
import { openPromptText } from '#core/prompt-texts.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { findPersonalData, personIdsOfActor } from './queries.ts';

/** Exports all personal data of the actor as streamed JSON. */
export const exportPersonalDataOfActor = async (services: Services, actor: Actor): Promise<FileAnswer> => {
  const fileOf = await services.database.withOrg(actor.orgId, (tx) =>
    recordExport(tx, services, actor, {
      of: 'collected',
      format: 'json',
      entry: { action: 'personal_data.exported', subject: { kind: 'account', id: actor.accountId } },
    }),
  );
  return fileOf(textOf(services, actor), undefined);
};

const rowsPerBatch = 2_000;

async function* textOf(services: Services, actor: Actor): AsyncGenerator<string> {
  const { items, pauses } = await findPersonalData(services, actor);
  yield `{"collected":${JSON.stringify(items)},\n"pauses":${JSON.stringify(pauses)}`;
  for (const { name, text, open, more } of parts) {
    yield `,\n${JSON.stringify(name)}:[`;
    let after = 0;
    for (;;) {
      const rows = await services.database.withOrg(actor.orgId, async (tx) => {
        const found = await tx.query<{ row: string }>({
          name: '',
          text: `select to_json(p)::text as row from (${text}) p limit $4 offset $5`,
          values: [actor.orgId, personIdsOfActor(actor), actor.accountId, rowsPerBatch, after],
        });
        return open === undefined ? found : open(services, tx, actor.orgId, found);
      });
      if (rows.length > 0) yield `${after === 0 ? '\n' : ',\n'}${rows.map(({ row }) => row).join(',\n')}`;
      after += rows.length;
      if (rows.length < rowsPerBatch) break;
    }
    for await (const rows of more?.(services, actor) ?? []) {
      yield `${after === 0 ? '\n' : ',\n'}${rows.join(',\n')}`;
      after += rows.length;
    }
    yield ']';
  }
  yield '}\n';
}

interface ExportRow {
  /** JSON. */
  row: string;
}

interface ExportPart {
  name: string;
  text: string;
  /** Restores the content of rows from its stored form. */
  open?: (services: Services, tx: Tx, orgId: string, rows: readonly ExportRow[]) => Promise<ExportRow[]>;
  /** Further rows from outside the tables, as JSON. */
  more?: (services: Services, actor: Actor) => AsyncGenerator<string[], void>;
}

const openEventTexts: ExportPart['open'] = async (_services, _tx, _orgId, rows) =>
  rows.map(({ row }) => {
    const event = JSON.parse(row) as EventTexts;
    return { row: JSON.stringify({ ...event, ...parsedEventTexts(event) }) };
  });

async function* archivedEvents({ archivedEvents: archive }: Services, actor: Actor): AsyncGenerator<string[], void> {
  for await (const rows of archive.eventsOf(actor.orgId, personIdsOfActor(actor)))
    yield rows.map(({ id, as_of, received_at, kind, source, ...texts }) =>
      JSON.stringify({
        id,
        as_of: jsonTimeOf(as_of),
        received_at: jsonTimeOf(received_at),
        kind,
        source,
        ...parsedEventTexts(texts),
      }),
    );
}

/** A time as PostgreSQL writes it in JSON. */
const jsonTimeOf = (time: string): string => `${time.replace(' ', 'T')}:00`;

async function openPrompts({ people }: Services, tx: Tx, orgId: string, rows: readonly ExportRow[]) {
  const sealed = rows.map(
    ({ row }) => JSON.parse(row) as { session_id: string; digest: string; person_id: string; text: string },
  );
  const keys = await people.keys(tx, orgId, [...new Set(sealed.map(({ person_id: person }) => person))]);
  return sealed.map(({ session_id: sessionId, digest: hex, person_id: person, text }) => {
    const key = keys.get(person);
    const [digest, bytes] = [bytesOf(hex), bytesOf(text)];
    const opened = key ? openPromptText(key, { orgId, sessionId, digest }, bytes) : null;
    return { row: JSON.stringify({ session_id: sessionId, digest: digest.toString('hex'), text: opened }) };
  });
}

/** PostgreSQL writes bytes in JSON as `\\x` and hexadecimal digits. */
const bytesOf = (written: string): Buffer => Buffer.from(written.slice(2), 'hex');

const mine = 'org_id = $1 and account_id = $3';
const parts: readonly ExportPart[] = [
  {
    name: 'account',
    text: bound(
      'select email, name, picture, github_login, github_name, description, created_at, last_login_at from account where id = $3',
    ),
  },
  {
    name: 'logins',
    text: bound(
      'select connection, provider, profile, created_at from account_identity where account_id = $3 order by 1, created_at',
    ),
  },
  {
    name: 'sessions',
    text: bound(
      'select user_agent, address, started_at, last_seen_at, ended_at from account_session where account_id = $3 order by started_at, id',
    ),
  },
  { name: 'membership', text: bound(`select role_id, status, created_at, last_activity_at from member where ${mine}`) },
  {
    name: 'names',
    text: bound(
      'select kind, value, display, picture, source, confidence, valid_from from identity where org_id = $1 and person_id = any($2::uuid[]) order by kind, value',
    ),
  },
  {
    name: 'commits',
    text: bound(`select r.full_name as repository, c.sha, c.author_name, c.author_email, c.author_login, c.authored_at, c.committed_at, c.message, c.files
           from contributor k join repository r on r.org_id = $1 and r.id = k.repository_id
           join commit c on c.org_id = $1 and c.repository_id = k.repository_id and c.author_person = any($2::uuid[])
           where k.org_id = $1 and k.person_id = any($2::uuid[]) order by r.full_name, c.committed_at, c.sha`),
  },
  {
    name: 'pull_requests',
    text: bound(`select r.full_name as repository, p.number, p.title, p.status, p.author_login, p.author_avatar, p.created_at, p.updated_at, p.merged_at, p.closed_at
           from pull_request p join repository r on r.org_id = $1 and r.id = p.repository_id
           where p.org_id = $1 and p.author_person = any($2::uuid[]) order by p.created_at, p.repository_id, p.number`),
  },
  {
    name: 'reviews',
    text: bound(`select r.full_name as repository, v.number, v.login, v.state, v.sha, v.submitted_at
           from review v join repository r on r.org_id = $1 and r.id = v.repository_id
           where v.org_id = $1 and v.person_id = any($2::uuid[]) order by v.submitted_at, v.review_id`),
  },
  {
    name: 'host_access',
    text: bound(`select r.full_name as repository, h.kind, h.name, c.at, c.permission, c.routes, c.can_bypass
           from access_holder h join access_change c on c.org_id = $1 and c.holder_id = h.id
           join repository r on r.org_id = $1 and r.id = c.repository_id
           where h.org_id = $1 and h.person_id = any($2::uuid[]) order by c.at, r.full_name, h.id`),
  },
  {
    name: 'directory',
    text: bound(
      'select user_name, external_id, email, is_active, profile, created_at, updated_at from directory_user where org_id = $1 and person_id = any($2::uuid[]) order by created_at, id',
    ),
  },
  {
    name: 'directory_changes',
    text: bound(
      'select at, is_active from directory_change where org_id = $1 and person_id = any($2::uuid[]) order by at, user_id',
    ),
  },
  {
    name: 'events',
    text: bound(
      'select id, as_of, received_at, kind, source, summary, detail from event where org_id = $1 and actor = any($2::uuid[]) order by as_of, id',
    ),
    open: openEventTexts,
    more: archivedEvents,
  },
  {
    name: 'extensions',
    text: bound(
      `select side, type, device, version, created_at, last_used_at, revoked_at from extension_grant where ${mine} order by created_at, id`,
    ),
  },
  {
    name: 'presence',
    text: bound(`select side, at, connected, reason from presence_change where ${mine} order by at, side, connected`),
  },
  {
    name: 'tools',
    text: bound(
      'select tab, tool_id, source, program, version, first_seen, last_seen, removed_at from tool_person where org_id = $1 and person_id = any($2::uuid[]) order by first_seen, tool_id, program',
    ),
  },
  {
    name: 'agent_sessions',
    text: bound(`select s.id, s.agent, s.vendor_session, r.full_name as repository, s.branch, s.version, s.models, s.first_at, s.last_at
           from agent_session s left join repository r on r.org_id = $1 and r.id = s.repository_id
           where s.org_id = $1 and s.person_id = any($2::uuid[]) order by s.first_at, s.id`),
  },
  {
    name: 'agent_records',
    text: bound(`select r.session_id, r.at, r.signal, r.kind, r.fields, r.prompt_hash
           from agent_session s join agent_record r on r.org_id = $1 and r.session_id = s.id
           where s.org_id = $1 and s.person_id = any($2::uuid[]) order by r.session_id, r.at, r.digest`),
  },
  {
    name: 'agent_prompts',
    text: bound(
      'select session_id, digest, person_id, text from agent_prompt where org_id = $1 and person_id = any($2::uuid[]) order by session_id, digest',
    ),
    open: openPrompts,
  },
  {
    name: 'personal_keys',
    text: bound(
      `select name, created_at, last_used_at, revoked_at from access_key where ${mine} order by created_at, id`,
    ),
  },
  {
    name: 'audit_log',
    text: bound(`select at, action, subject_kind, subject_id, data, personal, address from audit_event
           where org_id = $1 and actor_kind = 'account' and actor_id = $3::uuid::text order by at, id`),
  },
  {
    name: 'notifications',
    text: bound(
      `select type, title, body, link, status, saved, created_at, read_at from notification where ${mine} order by created_at, id`,
    ),
  },
  {
    name: 'saved_views',
    text: bound(
      `select list, name, query, chart, shared, created_at from saved_view where ${mine} order by created_at, id`,
    ),
  },
];

/** Wraps a statement so that it accepts all three parameters, even unused ones. */
function bound(text: string): string {
  return `select q.* from (select $1::uuid as o, $2::uuid[] as p, $3::uuid as a) given cross join lateral (${text}) q`;
}
