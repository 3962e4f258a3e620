import type { AuditSubject } from '@sightline/contract/organization/audit-actions.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { Invalid } from '#core/errors.ts';
import type { SecretLocation } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/**
 * A kind of destination: a receiver outside this server that an organization configures. Outgoing webhooks, audit log streams,
 * ledger anchors, evidence destinations and chat channels are such kinds.
 */
export interface DestinationType {
  table: 'outgoing_webhook' | 'audit_stream' | 'anchor' | 'evidence_destination' | 'chat_target';
  /** The target type of its audit entries. */
  subject: AuditSubject;
  /** For messages, such as `audit log streams`. */
  plural: string;
  /** Destinations per organization. */
  max: number;
  /** Changes need an Account Owner, not only the permission of the endpoint. */
  ownersOnly: boolean;
  /** Whether the previous secret also signs after a rotation. */
  rotates: boolean;
  /** Tells clients that a destination changed. */
  announce: (services: Services, orgId: string, id: string) => void;
}

/** Where the secrets of a destination are sealed; the previous one is sealed for the same location. */
export const secretLocation = ({ table }: DestinationType, orgId: string, id: string): SecretLocation => ({
  org: orgId,
  table,
  field: `secret ${id}`,
});

/** The tables share the columns for secrets and creation; the types of one of them stand for all. */
export const rowsOf = (table: DestinationType['table']) => table as 'outgoing_webhook';

/** The secret of a destination, followed by the previous one while it also signs. Empty for a kind without secrets. */
export async function openSecrets(
  { secrets }: Services,
  { db }: Tx,
  type: DestinationType,
  { orgId, id }: { orgId: string; id: string },
): Promise<string[]> {
  const { current, previous } = await db
    .selectFrom(rowsOf(type.table))
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .select([
      sql<Buffer | null>`secret_sealed`.as('current'),
      (type.rotates
        ? sql<Buffer | null>`case when previous_until > now() then previous_secret_sealed end`
        : sql<null>`null`
      ).as('previous'),
    ])
    .executeTakeFirstOrThrow();
  const location = secretLocation(type, orgId, id);
  return [current, previous].flatMap((sealed) => (sealed ? [secrets.open(location, sealed).toString()] : []));
}

/** Parses the settings of a kind. Throws `Invalid` for a field that the kind does not have. */
export function parseSettings<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw Invalid(['settings', ...(issue?.path ?? [])].join('.'), issue?.message ?? 'is not valid');
}

type Settings = Readonly<Record<string, unknown>>;

/** Whether two settings are equal. PostgreSQL returns the keys of JSON in an order of its own. */
export const isSameSettings = (one: Settings, other: Settings): boolean =>
  Object.keys({ ...one, ...other }).every((key) => JSON.stringify(one[key]) === JSON.stringify(other[key]));

/** The host of a URL, for the audit log: the rest of it may contain a secret. */
export const hostOf = (url: string): string => new URL(url).host;
