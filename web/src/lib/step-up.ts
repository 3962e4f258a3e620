import { ApiError } from '@sightline/contract/core/client.ts';
import { useSyncExternalStore } from 'react';

/** Whether the server rejected a request because the session has no recent sign-in. Nothing was changed. */
const needsStepUp = (error: unknown): boolean =>
  error instanceof ApiError && error.refusal?.code === 'reauthentication_required';

/**
 * Asks the user to reauthenticate; false if they cancel. Concurrent requests share one dialog, which `StepUpHost`
 * renders; without it the result is false.
 */
function confirmIdentity(): Promise<boolean> {
  if (watchers.size === 0) return Promise.resolve(false);
  if (!pending) {
    pending = Promise.withResolvers<boolean>();
    notify();
  }
  return pending.promise;
}

/** Sends a request. If it needs a recent sign-in, asks for one and sends it again; throws its refusal if the user cancels. */
export async function withStepUp<Response>(send: () => Promise<Response>): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    if (!needsStepUp(error) || !(await confirmIdentity())) throw error;
    return send();
  }
}

/** Resolves all pending calls of `confirmIdentity`. */
export function resolveStepUp(isConfirmed: boolean): void {
  pending?.resolve(isConfirmed);
  pending = undefined;
  notify();
}

export const useIsStepUpPending = (): boolean => useSyncExternalStore(subscribe, () => pending !== undefined);

let pending: PromiseWithResolvers<boolean> | undefined;
const watchers = new Set<() => void>();

function subscribe(watch: () => void): () => void {
  watchers.add(watch);
  return () => watchers.delete(watch);
}

function notify(): void {
  for (const watch of watchers) watch();
}
