import { ApiError } from '@sightline/contract/core/client.ts';
import { useSyncExternalStore } from 'react';
import { getStored } from '#lib/storage.ts';
import type { ShownError } from './shell/ErrorDialog.tsx';

/** Shows the error dialog for a failed request, except for an ended session or a test user (spec 2.3). */
export function showError(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) return;
  if (getStored('userTesting')) return;
  shown = toShown(error);
  notifyListeners();
}

export function closeError(): void {
  shown = undefined;
  notifyListeners();
}

export const useShownError = (): ShownError | undefined => useSyncExternalStore(subscribe, () => shown);

let shown: ShownError | undefined;
const watchers = new Set<() => void>();

/** Spec 8: message and cause of an object, otherwise the body's text. */
function toShown(error: unknown): ShownError {
  if (!(error instanceof ApiError)) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
  const { refusal, body } = error;
  if (refusal) return refusal;
  if (typeof body === 'object' && body !== null) {
    const { message, cause } = body as { message?: unknown; cause?: unknown };
    return {
      message: typeof message === 'string' ? message : error.message,
      cause: typeof cause === 'string' ? cause : undefined,
    };
  }
  return { message: typeof body === 'string' && body !== '' ? body : error.message };
}

function subscribe(watch: () => void): () => void {
  watchers.add(watch);
  return () => watchers.delete(watch);
}

function notifyListeners(): void {
  for (const watch of watchers) watch();
}
