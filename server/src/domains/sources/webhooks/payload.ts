import { toStorable } from '#providers/host-data.ts';

type Payload = Record<string, unknown>;

/** The JSON object of a webhook, sent as JSON or as form field `payload`; undefined for anything else. */
export function parsePayload(body: string): Payload | undefined {
  try {
    return toStorable(parseBody(body)) as Payload | undefined;
  } catch {
    // It is nested too deeply.
    return undefined;
  }
}

function parseBody(body: string): Payload | undefined {
  try {
    const text = body.startsWith('payload=') ? new URLSearchParams(body).get('payload') : body;
    const payload: unknown = JSON.parse(text ?? '');
    return isObject(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** The IDs of the subjects of a delivery at GitHub. */
interface DeliverySubjects {
  installation: string | undefined;
  repository: string | undefined;
}

/**
 * The subjects of a delivery with a valid signature; undefined if it is not a JSON object. Most bodies of GitHub are not
 * parsed: they end with the installation, and contain one member `repository`. Signers send valid JSON, where these
 * characters cannot be part of a text, and the last two braces close the installation and the payload.
 */
export function deliverySubjects(body: string): DeliverySubjects | undefined {
  const [, installation] = (body.startsWith('{') && lastInstallation.exec(body.slice(-maxInstallationLength))) || [];
  if (installation !== undefined) return { installation, repository: onlyRepository(body) };
  const payload = parseBody(body);
  return payload && { installation: idOf(payload.installation), repository: idOf(payload.repository) };
}

const lastInstallation = /,"installation":\{"id":(\d{1,15})(?:,"node_id":"[^"\\]*")?\}\}$/;
const maxInstallationLength = 300;

const repositoryStart = '"repository":{"id":';
const repositoryId = /\d{1,15}(?=[,}])/y;

function onlyRepository(body: string): string | undefined {
  const start = body.indexOf(repositoryStart);
  if (start === -1 || body.includes(repositoryStart, start + 1)) return undefined;
  repositoryId.lastIndex = start + repositoryStart.length;
  return repositoryId.exec(body)?.[0];
}

function idOf(subject: unknown): string | undefined {
  const id = isObject(subject) ? subject.id : undefined;
  return Number.isSafeInteger(id) ? String(id) : undefined;
}

const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
