/**
 * Announces `text` to screen readers, politely: the title after a navigation, and results that only appear as text or
 * icons. Does nothing without an `Announcer` on the page. Toasts announce themselves.
 */
export function announce(text: string): void {
  for (const listener of listeners) listener(text);
}

/** Used by `Announcer`; returns the unsubscribe function. */
export function onAnnouncement(listener: (text: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const listeners = new Set<(text: string) => void>();
