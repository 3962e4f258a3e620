/** Announces `text` to screen readers, politely. Does nothing without an `Announcer` on the page. */
export function announce(text: string): void {
  for (const listen of listeners) listen(text);
}

/** Used by `Announcer`; returns the unsubscribe function. */
export function onAnnouncement(listen: (text: string) => void): () => void {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

const listeners = new Set<(text: string) => void>();
