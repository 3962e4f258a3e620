/** Spec 9: the storage keys of the app. */
export type StorageKey =
  | 'accessToken'
  | 'accountId'
  | 'organization'
  | 'initialUrl'
  | 'returnUrl'
  | 'onboardingStarted'
  | 'userTesting';

export const getStored = (key: StorageKey): string | undefined => localStorage.getItem(key) ?? undefined;

/** Stores a value; undefined removes it. */
export function setStored(key: StorageKey, value: string | undefined): void {
  if (value === undefined) localStorage.removeItem(key);
  else localStorage.setItem(key, value);
}

/** Spec 8: a lost session clears all storage, including data of the sign-in library and of pages. */
export function clearStorage(): void {
  localStorage.clear();
  sessionStorage.clear();
}
