/** How the extension is, as the status bar says it. */
export interface ExtensionCondition {
  isSignedIn: boolean;
  /** Somebody was, and the server has ended it. */
  isEnded: boolean;
  isPaused: boolean;
  isConnected: boolean;
  waiting: number;
}

export interface StatusBarText {
  text: string;
  tooltip: string;
  /** For screen readers, which see no icons. */
  label: string;
}

/** One quiet line; the number waiting only while the server is away. */
export function statusOf({ isSignedIn, isEnded, isPaused, isConnected, waiting }: ExtensionCondition): StatusBarText {
  if (isEnded) return shown('$(debug-disconnect) Sightline', `signed out by the server: sign in again${kept(waiting)}`);
  if (!isSignedIn) return shown('$(circle-slash) Sightline', 'signed out');
  if (isPaused) return shown('$(debug-pause) Sightline', 'paused: nothing is recorded');
  if (isConnected) return shown('$(pass) Sightline', 'connected');
  return shown(waiting === 0 ? '$(cloud) Sightline' : `$(cloud) Sightline ${waiting}`, `offline${kept(waiting)}`);
}

const kept = (waiting: number) => (waiting === 0 ? '' : `, ${waiting} queued`);

const shown = (text: string, how: string): StatusBarText => ({
  text,
  tooltip: `Sightline: ${how}`,
  label: `Sightline, ${how.replaceAll(':', ',')}`,
});
