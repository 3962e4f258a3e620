import { urlOf } from '@sightline/contract/core/client.ts';
import { getPicture } from '@sightline/contract/identity/pictures.ts';
import { findPictures, MAX_PICTURED_PEOPLE } from '@sightline/contract/organization/people.ts';
import { call } from './api.ts';
import { accessToken } from './session.ts';

/** Object URLs by picture URL; undefined for unavailable pictures. */
const loaded = new Map<string, Promise<string | undefined>>();
/** Picture URLs by ID of the account or person; undefined for people without a picture. */
const addresses = new Map<string, Promise<string | undefined>>();
const MAX_KEPT_PICTURES = 500;
const MAX_KEPT_ADDRESSES = 5000;

/**
 * Returns a picture of another site as a URL that the page may show; undefined if unavailable. The server loads it, so
 * that the other site does not see the user.
 */
export const loadPicture = (address: string): Promise<string | undefined> =>
  loadOnce(loaded, address, fetchPicture, { most: MAX_KEPT_PICTURES, onForgotten: revoke });

/** The same for the picture of an account or person. */
export async function loadPersonPicture(id: string): Promise<string | undefined> {
  const address = await loadOnce(addresses, id, addressOfPerson, { most: MAX_KEPT_ADDRESSES });
  return address === undefined ? undefined : loadPicture(address);
}

type Loaded = Promise<string | undefined>;

function loadOnce(
  known: Map<string, Loaded>,
  key: string,
  load: (key: string) => Loaded,
  { most, onForgotten }: { most: number; onForgotten?: (value: Loaded) => void },
): Loaded {
  const found = known.get(key);
  if (found) return found;
  const loading = load(key).catch(() => {
    known.delete(key);
    return undefined;
  });
  known.set(key, loading);
  const [oldest] = known;
  if (known.size > most && oldest !== undefined) {
    known.delete(oldest[0]);
    onForgotten?.(oldest[1]);
  }
  return loading;
}

const revoke = (shown: Loaded): void => void shown.then((src) => src?.startsWith('blob:') && URL.revokeObjectURL(src));

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

type Answer = { resolve: (address: string | undefined) => void; reject: (reason: unknown) => void };
let asked: Map<string, Answer> | undefined;

/** The URL of the picture of an account or person. People that appear together are requested together. */
function addressOfPerson(id: string): Promise<string | undefined> {
  const { promise, ...answer } = Promise.withResolvers<string | undefined>();
  if (asked === undefined) {
    asked = new Map();
    setTimeout(() => void requestAddresses());
  }
  asked.set(id, answer);
  return promise;
}

async function requestAddresses(): Promise<void> {
  const all = [...(asked ?? [])];
  asked = undefined;
  for (let from = 0; from < all.length; from += MAX_PICTURED_PEOPLE) {
    const some = all.slice(from, from + MAX_PICTURED_PEOPLE);
    try {
      const { pictures } = await call(findPictures, { query: { ids: some.map(([id]) => id) } });
      for (const [id, { resolve }] of some) resolve(pictures[id]);
    } catch (error) {
      for (const [, { reject }] of some) reject(error);
    }
  }
}
