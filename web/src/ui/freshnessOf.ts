import type { Tone } from './StatusBadge.tsx';

const day = 24 * 3_600_000;

/** Spec 2.10: over 7 days red, over 2 orange, within 2 green. Both in epoch ms. */
export function freshnessOf(detectedAt: number, now: number): { tone: Tone; word: string } {
  const age = now - detectedAt;
  if (age > 7 * day) return { tone: 'red', word: 'Stale' };
  return age > 2 * day ? { tone: 'orange', word: 'Aging' } : { tone: 'green', word: 'Fresh' };
}
