/** Recording is off: until a time (Unix milliseconds), or until resumed (`null`). */
export interface Pause {
  until: number | null;
}

export const hourMs = 60 * 60_000;

export const isPaused = (pause: Pause | null, now: number): boolean =>
  pause !== null && (pause.until === null || now < pause.until);

export const pauseFor = (ms: number, now: number): Pause => ({ until: now + ms });

/** The pause in a heartbeat, which is reported once and alone. */
export const pauseReport = ({ until }: Pause): { until: string | null } => ({
  until: until === null ? null : new Date(until).toISOString(),
});
