import type { ReadHostPath } from '@sightline/evidence/reconciliation/host-merges.ts';

const TIMEOUT_MS = 30_000;

/**
 * Returns a function that reads paths of the API of a code host with a token. It sends GET requests without cookies, and
 * follows no redirect, so that the token reaches only this address. Throws an error with the end of a sentence left out.
 */
export function createBrowserReader(apiUrl: string, { token, email }: { token: string; email: string }): ReadHostPath {
  const { host } = new URL(apiUrl);
  const authorization = email === '' ? `Bearer ${token}` : `Basic ${btoa(`${email}:${token}`)}`;
  return async (path) => {
    const response = await fetch(`${apiUrl}${path}`, {
      headers: { accept: 'application/json', authorization },
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => {
      throw new Error(
        `${host} could not be read: it does not answer, moved the repository, or does not let pages read it. Use the command sightline reconcile instead`,
      );
    });
    if (response.ok) return response.json();
    throw new Error(`${host} ${refusals[response.status] ?? `answered ${response.status}`}`);
  };
}

const refusals: Readonly<Record<number, string>> = {
  401: 'rejected the token',
  403: 'refused to answer: the token lacks a permission, or its request limit is reached',
  404: 'knows no such repository, or the token cannot read it',
  429: 'refused to answer: the request limit of the token is reached',
};
