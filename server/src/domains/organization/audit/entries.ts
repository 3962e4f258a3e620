import { maybeIntegrationName } from '@sightline/contract/core/scan-sources.ts';
import { chatServices, chatServiceTitles } from '@sightline/contract/delivery/chat.ts';
import type { AuditEntry, AuditEntryDetail } from '@sightline/contract/organization/audit.ts';
import { type AuditValue, auditSentence } from '@sightline/contract/organization/audit-sentence.ts';
import type { NotNull } from 'kysely';
import type { Tx } from '#database/database.ts';
import type { AuditEventRow, AuditValuesByField } from './search.ts';

/** Current names of the actors and targets of entries. */
interface NamesBySubject {
  organization: string | null;
  accounts: Map<string, { name: string; email: string; picture: string | null }>;
  repositories: Map<string, string>;
}

/** Converts rows to entries of the contract. */
export async function toAuditEntries(tx: Tx, orgId: string, rows: readonly AuditEventRow[]): Promise<AuditEntry[]> {
  const names = await namesOf(tx, orgId, rows);
  return rows.map((row) => entryOf(row, names));
}

/** Converts one row to an entry with all details. */
export async function toAuditEntryDetail(tx: Tx, orgId: string, row: AuditEventRow): Promise<AuditEntryDetail> {
  const [detail] = await toAuditEntryDetails(tx, orgId, [row]);
  if (!detail) throw new Error('An entry has no details');
  return detail;
}

/** Converts rows to entries with all details. */
export async function toAuditEntryDetails(
  tx: Tx,
  orgId: string,
  rows: readonly AuditEventRow[],
): Promise<AuditEntryDetail[]> {
  const names = await namesOf(tx, orgId, rows);
  return rows.map((row) => ({
    ...entryOf(row, names),
    ...changeOf({ data: withRepositoryName(row.data, names), personal: row.personal }),
    requestId: row.request_id,
  }));
}

/** The values before and after, and the other data of an entry. */
function changeOf({
  data,
  personal,
}: Pick<AuditEventRow, 'data' | 'personal'>): Pick<AuditEntryDetail, 'before' | 'after' | 'more'> {
  const { before, after, ...more } = data;
  const { before: personBefore, after: personAfter, browser: _, ...person } = personal;
  const side = (public_: AuditValue | undefined, private_: AuditValue | undefined) =>
    public_ === undefined && private_ === undefined ? null : { ...valuesOf(public_), ...valuesOf(private_) };
  return { before: side(before, personBefore), after: side(after, personAfter), more: { ...more, ...person } } as never;
}

const valuesOf = (value: AuditValue | undefined): AuditValuesByField => {
  if (value === undefined) return {};
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as AuditValuesByField)
    : { value };
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Accounts by ID, without deleted accounts and accounts that this organization erased. */
export async function visibleAccountsById({ db }: Tx, ids: readonly string[]): Promise<NamesBySubject['accounts']> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('visible_account')
    .select(['id', 'name', 'email', 'picture'])
    .where('id', 'in', [...new Set(ids)])
    .$narrowType<{ id: NotNull; name: NotNull; email: NotNull }>()
    .execute();
  return new Map(rows.map(({ id, ...account }) => [id, account]));
}

async function namesOf(tx: Tx, orgId: string, rows: readonly AuditEventRow[]): Promise<NamesBySubject> {
  const { db } = tx;
  const idsIn = (...kinds: string[]) =>
    rows.flatMap((row) => [
      ...(kinds.includes(row.subject_kind) && uuid.test(row.subject_id) ? [row.subject_id] : []),
      ...(kinds.includes(row.actor_kind) && row.actor_id !== null && uuid.test(row.actor_id) ? [row.actor_id] : []),
    ]);
  const repositoriesOfFindings = rows.flatMap(({ data }) => {
    const id = textOf(data.repository);
    return id !== null && uuid.test(id) ? [id] : [];
  });
  const repositoryIds = [...new Set([...idsIn('repository'), ...repositoriesOfFindings])];
  const organization = rows.some((row) => row.subject_kind === 'organization')
    ? await db.selectFrom('organization').select('display_name').where('id', '=', orgId).executeTakeFirst()
    : undefined;
  const repositories =
    repositoryIds.length === 0
      ? []
      : await db
          .selectFrom('repository')
          .select(['id', 'full_name'])
          .where('org_id', '=', orgId)
          .where('id', 'in', repositoryIds)
          .execute();
  return {
    organization: organization?.display_name ?? null,
    accounts: await visibleAccountsById(tx, idsIn('account', 'member')),
    repositories: new Map(repositories.map(({ id, full_name }) => [id, full_name])),
  };
}

function entryOf(row: AuditEventRow, names: NamesBySubject): AuditEntry {
  const name = subjectName(row, names);
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    actor: actorOf(row, names),
    subject: { kind: row.subject_kind, id: row.subject_id, name },
    sentence: auditSentence({ action: row.action, subject: name, data: withRepositoryName(row.data, names) }),
    address: row.address,
    browser: textOf(row.personal.browser),
  };
}

/** The repository of a finding is an ID in the data, and its current name on pages. */
function withRepositoryName(data: AuditValuesByField, { repositories }: NamesBySubject): AuditValuesByField {
  const name = repositories.get(textOf(data.repository) ?? '');
  return name === undefined ? data : { ...data, repository: name };
}

function actorOf({ actor_kind, actor_id }: AuditEventRow, { accounts }: NamesBySubject): AuditEntry['actor'] {
  const account = actor_kind === 'account' && actor_id !== null ? accounts.get(actor_id) : undefined;
  if (account) return { kind: actor_kind, id: actor_id, ...account };
  return { kind: actor_kind, id: actor_id, name: actorDisplayName(actor_kind, actor_id), email: null, picture: null };
}

/** The display name of an actor that is not an account, or whose account was deleted. */
export function actorDisplayName(kind: AuditEventRow['actor_kind'], id: string | null): string {
  if (kind === 'account') return 'Former member';
  if (kind === 'integration') return maybeIntegrationName(id ?? '') ?? id ?? 'An integration';
  if (kind === 'system' && id === 'clock') return 'Sightline';
  if (kind === 'system' && id === 'auditor') return 'An auditor';
  if (kind === 'system' && id === 'recipient') return 'Recipient of the email';
  return kind === 'operator' ? `Operator ${id ?? ''}`.trim() : 'Unknown person';
}

function subjectName(
  { subject_kind, subject_id, data, personal }: AuditEventRow,
  names: NamesBySubject,
): string | null {
  const { before, after } = personal;
  switch (subject_kind) {
    case 'organization':
      return names.organization;
    case 'member':
    case 'account':
      return names.accounts.get(subject_id)?.name ?? textOf(personal.name) ?? textOf(personal.email);
    case 'person':
      return textOf(personal.name) ?? 'an unknown person';
    case 'invitation':
      return textOf(personal.email) ?? textOf(valuesOf(after ?? before).email);
    case 'repository':
      return names.repositories.get(subject_id) ?? textOf(data.fullName);
    case 'scanner_project':
      return textOf(data.project) ?? subject_id;
    case 'finding':
      return textOf(data.title);
    case 'installation':
      return [
        maybeIntegrationName(String(data.provider)) ?? chatTitleOf(data.provider) ?? textOf(data.provider),
        textOf(data.account),
      ]
        .filter(Boolean)
        .join(' of ');
    case 'access_key':
    case 'framework':
    case 'policy':
    case 'policy_change':
    case 'portal':
    case 'view':
      return textOf(data.name);
    case 'access_review':
      return textOf(data.quarter);
    case 'control_waiver':
    case 'remediation':
      return textOf(data.subject);
    case 'chat_channel':
      return textOf(data.channel);
    case 'webhook':
    case 'audit_stream':
      return textOf(data.host);
    case 'audit_log':
      return 'the audit log';
    default:
      return subject_id;
  }
}

const chatTitleOf = (value: AuditValue | undefined): string | undefined =>
  chatServices.flatMap((name) => (name === value ? chatServiceTitles[name] : []))[0];

const textOf = (value: AuditValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
