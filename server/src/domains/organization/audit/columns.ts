import type { AuditEntryDetail } from '@sightline/contract/organization/audit.ts';
import type { ExportColumns } from '#core/exports.ts';

export type AuditLine = AuditEntryDetail;

export const auditColumns: ExportColumns<AuditLine> = {
  time: ({ at }) => at,
  who: ({ actor }) => actor.name,
  'who (email)': ({ actor }) => actor.email ?? '',
  'who (kind)': ({ actor }) => actor.kind,
  'who (id)': ({ actor }) => actor.id ?? '',
  what: ({ sentence }) => sentence.map(({ text }) => text).join(' '),
  action: ({ action }) => action,
  subject: ({ subject }) => subject.name ?? '',
  'subject (kind)': ({ subject }) => subject.kind,
  'subject (id)': ({ subject }) => subject.id,
  before: ({ before }) => jsonOf(before),
  after: ({ after }) => jsonOf(after),
  more: ({ more }) => (Object.keys(more).length === 0 ? '' : JSON.stringify(more)),
  address: ({ address }) => address ?? '',
  browser: ({ browser }) => browser ?? '',
  request: ({ requestId }) => requestId ?? '',
  id: ({ id }) => id,
};

const jsonOf = (value: object | null) => (value === null ? '' : JSON.stringify(value));
