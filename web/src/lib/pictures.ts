import { urlOf } from '@sightline/contract/core/client.ts';
import { getPicture } from '@sightline/contract/identity/pictures.ts';
import { accessToken } from './session.ts';

/** Object URLs by picture URL; undefined for unavailable pictures. */
const loaded = new Map<string, Promise<string | undefined>>();
const MAX_KEPT_PICTURES = 500;

/**
 * Returns a picture of another site as a URL that the page may show; undefined if unavailable. The server loads it, so
 * that the other site does not see the user.
 */
export function loadPicture(address: string): Promise<string | undefined> {
  const known = loaded.get(address);
  if (known) return known;
  const loading = fetchPicture(address).catch(() => {
    loaded.delete(address);
    return undefined;
  });
  loaded.set(address, loading);
  const [oldest] = loaded.keys();
  if (loaded.size > MAX_KEPT_PICTURES && oldest !== undefined) forget(oldest);
  return loading;
}

function forget(address: string): void {
  loaded.get(address)?.then((src) => src?.startsWith('blob:') && URL.revokeObjectURL(src));
  loaded.delete(address);
}

async function fetchPicture(address: string): Promise<string | undefined> {
  if (address.startsWith('data:')) return address;
  const token = await accessToken();
  const answer = await window.fetch(urlOf('/api', getPicture, { query: { url: address } }), {
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  // Without a session or over a limit: requested again when the picture is next shown.
  if (answer.status === 401 || answer.status === 429) throw new Error(`The server answered ${answer.status}`);
  return answer.ok ? URL.createObjectURL(await answer.blob()) : undefined;
}
