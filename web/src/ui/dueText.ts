const day = 86_400_000;

/** '3 days left', 'Due today' within 24 hours, '2 days overdue' from the first hour. Both in epoch milliseconds. */
export function dueText(dueAt: number, now: number): string {
  if (dueAt < now) return `${daysText(Math.ceil((now - dueAt) / day))} overdue`;
  const days = Math.floor((dueAt - now) / day);
  return days === 0 ? 'Due today' : `${daysText(days)} left`;
}

/** '1 day', '12 days'. */
export const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`);
