/** spec 9: what the app keeps in the browser, under exactly these names. */
export type StorageKey =
  | 'accessToken'
  | 'accountId'
  | 'organization'
  | 'initialUrl'
  | 'returnUrl'
  | 'onboardingStarted'
  | 'userTesting';

export const stored = (key: StorageKey): string | undefined => localStorage.getItem(key) ?? undefined;

/** Keeps a value; undefined removes it. */
export function store(key: StorageKey, value: string | undefined): void {
  if (value === undefined) localStorage.removeItem(key);
  else localStorage.setItem(key, value);
}

/** spec 8: a lost session takes everything with it, also what the sign-in library and a page kept. */
export function clearStorage(): void {
  localStorage.clear();
  sessionStorage.clear();
}
