import { parsePayload } from './payload.ts';

/**
 * Redacts the body of a delivery before it is stored. Secret scanning alerts and their locations contain the detected
 * secret: only listed fields of them remain, and the secret is replaced in all other texts. Other bodies are unchanged.
 */
export function redactSecrets(event: string, body: string): string {
  if (!event.startsWith('secret_scanning_alert')) return body;
  const payload = parsePayload(body);
  if (!payload) return body;
  const secrets = [...secretsIn(payload.alert), ...secretsIn(payload.location)];
  const { alert, location, ...context } = payload;
  const redacted = {
    ...pick(context, contextFields),
    ...(isObject(alert) && { alert: redactedAlert(alert) }),
    ...(isObject(location) && { location: redactedLocation(location) }),
  };
  return JSON.stringify(redacted, (_, value: unknown) =>
    typeof value === 'string' ? secrets.reduce((text, secret) => text.replaceAll(secret, REDACTED), value) : value,
  );
}

type PayloadFields = Record<string, unknown>;

const REDACTED = '[secret]';

const contextFields = ['action', 'repository', 'organization', 'enterprise', 'sender', 'installation'];

// An allowlist: GitHub may add a field that contains the secret at any time.
const alertFields = [
  ...['number', 'created_at', 'updated_at', 'url', 'html_url', 'locations_url'],
  ...['state', 'resolution', 'resolved_at', 'secret_type', 'secret_type_display_name'],
  ...['validity', 'publicly_leaked', 'multi_repo', 'push_protection_bypassed', 'push_protection_bypassed_at'],
];

const fileFields = [
  ...['path', 'start_line', 'end_line', 'start_column', 'end_column'],
  ...['blob_sha', 'blob_url', 'commit_sha', 'commit_url'],
];

function redactedAlert(alert: PayloadFields): PayloadFields {
  const { first_location_detected: first } = alert;
  return { ...pick(alert, alertFields), ...(isObject(first) && { first_location_detected: pick(first, fileFields) }) };
}

function redactedLocation({ type, details }: PayloadFields): PayloadFields {
  return { type, ...(isObject(details) && { details: pick(details, fileFields) }) };
}

const pick = (fields: PayloadFields, names: readonly string[]): PayloadFields =>
  Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));

// Replacing a text of a few letters would also replace unrelated words.
const MIN_SECRET_LENGTH = 6;

/** The texts of all fields whose name contains `secret` or `token`, except names of types. */
function secretsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return isSecretName(name) && value.length >= MIN_SECRET_LENGTH ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(inner, Array.isArray(value) ? name : key));
}

const isSecretName = (name: string): boolean => /secret|token/i.test(name) && !/_type|type_|_scanning/i.test(name);

const isObject = (value: unknown): value is PayloadFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
