import { type RoleId, roleNames } from '../core/permissions.ts';
import { providerNames } from '../core/providers.ts';
import { auditSentenceTemplate } from './audit-actions.ts';

export type AuditValue =
  | string
  | number
  | boolean
  | null
  | readonly AuditValue[]
  | { readonly [key: string]: AuditValue };
type AuditValues = { readonly [key: string]: AuditValue };

/** A part of a sentence. The part that names the target is marked. */
export interface AuditSentencePart {
  text: string;
  subject?: true;
}

interface AuditSentenceSource {
  action: string;
  /** Display name of the target; null if unknown. */
  subject: string | null;
  /** All other values of the entry: before, after and more. */
  data: AuditValues;
}

/** The text after the actor's name: 'changed the role of', 'Ada', 'from Code Contributor to Auditor'. */
export function auditSentence({ action, subject, data }: AuditSentenceSource): AuditSentencePart[] {
  const holes = (part: string) => fill(part, data);
  const template = auditSentenceTemplate(action).replace(/\[([^\]]*)\]/g, (_, part: string) =>
    (subject === null && part.includes('{subject}')) || holes(part) === undefined ? '' : part,
  );
  return template
    .split(/(\{subject\})/)
    .map(
      (part): AuditSentencePart =>
        part === '{subject}' ? { text: subject ?? unknown, subject: true } : { text: fill(part, data, unknown) ?? '' },
    )
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, ...rest }) => ({ text: text.trim(), ...rest }));
}

const unknown = 'deleted item';

/** Formats a value for display: role names, comma-separated lists, yes and no. */
export function formatAuditValue(value: AuditValue): string {
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return roleNames[value as RoleId] ?? named[value] ?? value;
  if (isList(value)) return value.length === 0 ? 'nothing' : value.map(formatAuditValue).join(', ');
  return Object.entries(value)
    .map(([name, one]) => `${auditKeyLabel(name)}: ${formatAuditValue(one)}`)
    .join(', ');
}

/** Turns a key into a label: 'displayName' becomes 'Display name'. */
export function auditKeyLabel(key: string): string {
  const words = key
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

const named: Partial<Record<string, string>> = {
  'Username-Password-Authentication': 'email and password',
  'google-oauth2': 'Google',
  ...providerNames,
  csv: 'CSV',
  json: 'JSON',
  ndjson: 'JSON lines',
  false_positive: 'false positive',
  not_exploitable: 'not exploitable here',
  used_in_tests: 'used in tests only',
  mitigated: 'mitigated elsewhere',
  will_not_fix: 'will not be fixed',
  rotated: 'replaced by another secret',
  revoked: 'revoked where it was issued',
};

const isList = (value: AuditValue): value is readonly AuditValue[] => Array.isArray(value);

/** Undefined if a value is missing without a replacement. In accompanying data, null also counts as missing. */
function fill(part: string, data: AuditValues, instead?: string): string | undefined {
  let missing = false;
  const text = part.replace(/\{(?!subject\})([^}]+)\}/g, (_, path: string) => {
    const value = at(data, path.replace(/^data\./, '').split('.'));
    const isMissing = value === undefined || (value === null && path.startsWith('data.'));
    if (isMissing && instead === undefined) missing = true;
    return value === undefined ? (instead ?? '') : formatAuditValue(value);
  });
  return missing ? undefined : text;
}

const at = (from: AuditValue, [key, ...rest]: readonly string[]): AuditValue | undefined => {
  if (key === undefined) return from;
  if (typeof from !== 'object' || from === null || isList(from) || !Object.hasOwn(from, key)) return undefined;
  const next = from[key];
  return next === undefined ? undefined : at(next, rest);
};
