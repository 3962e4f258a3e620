/** The times from which activity is counted. `visit` without a previous visit: the last seven days. */
export const activityStarts = {
  visit: { label: 'Since your last visit', hours: 7 * 24 },
  day: { label: 'Last 24 hours', hours: 24 },
  week: { label: 'Last 7 days', hours: 7 * 24 },
  month: { label: 'Last 30 days', hours: 30 * 24 },
} as const;
export type ActivityStart = keyof typeof activityStarts;
