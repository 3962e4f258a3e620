import { payloadOf } from './payload.ts';

/**
 * The body of a delivery as it may be kept. What secret scanning tells carries the secret it found: of such an alert
 * and its location only the named fields stay, and the secret is blotted out wherever else it is quoted. Every other
 * body stays as it was signed.
 */
export function withoutSecrets(event: string, body: string): string {
  if (!event.startsWith('secret_scanning_alert')) return body;
  const payload = payloadOf(body);
  if (!payload) return body;
  const secrets = [...secretsIn(payload.alert), ...secretsIn(payload.location)];
  const { alert, location, ...rest } = payload;
  const kept = {
    ...only(rest, contextFields),
    ...(isObject(alert) && { alert: alertKept(alert) }),
    ...(isObject(location) && { location: locationKept(location) }),
  };
  return JSON.stringify(kept, (_, value: unknown) =>
    typeof value === 'string' ? secrets.reduce((text, secret) => text.replaceAll(secret, blot), value) : value,
  );
}

type PayloadFields = Record<string, unknown>;

const blot = '[secret]';

const contextFields = ['action', 'repository', 'organization', 'enterprise', 'sender', 'installation'];

// A list of what may stay, not of what must go: GitHub may add a field that quotes the secret at any time.
const alertFields = [
  ...['number', 'created_at', 'updated_at', 'url', 'html_url', 'locations_url'],
  ...['state', 'resolution', 'resolved_at', 'secret_type', 'secret_type_display_name'],
  ...['validity', 'publicly_leaked', 'multi_repo', 'push_protection_bypassed', 'push_protection_bypassed_at'],
];

const placeFields = [
  ...['path', 'start_line', 'end_line', 'start_column', 'end_column'],
  ...['blob_sha', 'blob_url', 'commit_sha', 'commit_url'],
];

function alertKept(alert: PayloadFields): PayloadFields {
  const { first_location_detected: first } = alert;
  return { ...only(alert, alertFields), ...(isObject(first) && { first_location_detected: only(first, placeFields) }) };
}

function locationKept({ type, details }: PayloadFields): PayloadFields {
  return { type, ...(isObject(details) && { details: only(details, placeFields) }) };
}

const only = (fields: PayloadFields, names: readonly string[]): PayloadFields =>
  Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));

// Blotting out a text of a few letters would blot out words that have nothing to do with it.
const shortest = 6;

/** What stands under any name that says `secret` and is no name of its kind. */
function secretsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return isSecretName(name) && value.length >= shortest ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(inner, Array.isArray(value) ? name : key));
}

const isSecretName = (name: string): boolean => /secret|token/i.test(name) && !/_type|type_|_scanning/i.test(name);

const isObject = (value: unknown): value is PayloadFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
