import type {
  AuditStream,
  AuditStreamKind,
  createAuditStream,
  updateAuditStream,
} from '@sightline/contract/organization/audit-streams.ts';
import type { z } from 'zod';

export type NewStream = z.input<typeof createAuditStream.body>;
export type StreamChange = z.input<typeof updateAuditStream.body>;

/** What was typed, of every kind: choosing another kind loses nothing. */
export interface AuditStreamForm {
  kind: AuditStreamKind;
  name: string;
  host: string;
  port: string;
  certificates: string;
  url: string;
  region: string;
  bucket: string;
  prefix: string;
  accessKeyId: string;
  secret: string;
  startFrom: 'now' | 'beginning';
}

const emptyDraft: AuditStreamForm = {
  kind: 'syslog',
  name: '',
  host: '',
  port: '6514',
  certificates: '',
  url: '',
  region: '',
  bucket: '',
  prefix: '',
  accessKeyId: '',
  secret: '',
  startFrom: 'now',
};

/** A new one, or what a destination is set to; its secret is not known. */
export function draftOf(stream?: AuditStream): AuditStreamForm {
  if (!stream) return emptyDraft;
  const settings = Object.fromEntries(Object.entries(stream.settings).map(([key, value]) => [key, String(value)]));
  return { ...emptyDraft, ...settings, kind: stream.kind, name: stream.name };
}

export function isReady(draft: AuditStreamForm, isNew: boolean): boolean {
  const filled = (...names: (keyof AuditStreamForm)[]) => names.every((name) => draft[name].trim() !== '');
  if (!filled('name')) return false;
  if (draft.kind === 'syslog') return filled('host') && /^\d{1,5}$/.test(draft.port.trim());
  if (draft.kind === 'https') return filled('url');
  return filled('url', 'region', 'bucket', 'accessKeyId') && (!isNew || filled('secret'));
}

/** As the server takes it: what belongs to other kinds is left out. */
export function newStreamOf(draft: AuditStreamForm): NewStream {
  const common = { name: draft.name.trim(), startFrom: draft.startFrom };
  const { kind } = draft;
  if (kind === 'syslog') return { ...common, kind, settings: syslogOf(draft) };
  if (kind === 'https') return { ...common, kind, settings: { url: draft.url.trim() } };
  return { ...common, kind, settings: s3Of(draft), secret: draft.secret.trim() };
}

export function changeOf(draft: AuditStreamForm): StreamChange {
  const { kind, secret } = draft;
  const settings = kind === 'syslog' ? syslogOf(draft) : kind === 'https' ? { url: draft.url.trim() } : s3Of(draft);
  return { name: draft.name.trim(), settings, ...(kind === 's3' && secret.trim() !== '' && { secret: secret.trim() }) };
}

const syslogOf = ({ host, port, certificates }: AuditStreamForm) => ({
  host: host.trim(),
  port: Number(port),
  certificates: certificates.trim(),
});

const s3Of = ({ url, region, bucket, prefix, accessKeyId }: AuditStreamForm) => ({
  url: url.trim(),
  region: region.trim(),
  bucket: bucket.trim(),
  prefix: prefix.trim(),
  accessKeyId: accessKeyId.trim(),
});
