/** The status of the extension in the status bar. */
export interface ExtensionCondition {
  isSignedIn: boolean;
  /** The server ended the sign-in. */
  isEnded: boolean;
  isPaused: boolean;
  isConnected: boolean;
  waiting: number;
}

export interface StatusBarText {
  text: string;
  tooltip: string;
  /** For screen readers, which do not read icons. */
  label: string;
}

/** One short text; it includes the number of queued events only while the server is unreachable. */
export function statusOf({ isSignedIn, isEnded, isPaused, isConnected, waiting }: ExtensionCondition): StatusBarText {
  if (isEnded)
    return shown('$(debug-disconnect) Sightline', `signed out by the server: sign in again${queuedSuffix(waiting)}`);
  if (!isSignedIn) return shown('$(circle-slash) Sightline', 'signed out');
  if (isPaused) return shown('$(debug-pause) Sightline', 'paused: nothing is recorded');
  if (isConnected) return shown('$(pass) Sightline', 'connected');
  return shown(
    waiting === 0 ? '$(cloud) Sightline' : `$(cloud) Sightline ${waiting}`,
    `offline${queuedSuffix(waiting)}`,
  );
}

const queuedSuffix = (waiting: number) => (waiting === 0 ? '' : `, ${waiting} queued`);

const shown = (text: string, how: string): StatusBarText => ({
  text,
  tooltip: `Sightline: ${how}`,
  label: `Sightline, ${how.replaceAll(':', ',')}`,
});
