import { toStorable } from '#providers/host-data.ts';

/** The JSON object of a webhook, sent as JSON or as form field `payload`; undefined for anything else. */
export function parsePayload(body: string): Record<string, unknown> | undefined {
  try {
    const text = body.startsWith('payload=') ? new URLSearchParams(body).get('payload') : body;
    const payload = toStorable(JSON.parse(text ?? ''));
    return isObject(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
