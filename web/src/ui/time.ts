import { lazy } from './lazy.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Spec 9: days within which times are relative. */
export const relativeDays = 7;
/** Spec 9: the same for pull requests, about six months. */
export const pullRequestRelativeDays = 183;

/** 'just now', '6 minutes ago', 'yesterday', 'last month'; also in the future ('in 6 days'). Both in epoch ms. */
function relativeTime(at: number, now: number): string {
  const away = Math.abs(at - now);
  const sign = Math.sign(at - now);
  if (away < minute) return 'just now';
  if (away < hour) return relative().format(sign * Math.floor(away / minute), 'minute');
  if (away < day) return relative().format(sign * Math.floor(away / hour), 'hour');
  const days = Math.max(1, calendarDays(at, now));
  return days < 31
    ? relative().format(sign * days, 'day')
    : relative().format(sign * Math.round(days / 30.44), 'month');
}

/** Relative within this number of days, otherwise the date: '9 Nov 2026'. */
export const timeAgo = (at: number, now: number, withinDays: number): string =>
  Math.abs(at - now) <= withinDays * day ? relativeTime(at, now) : date().format(at);

/** To the second, with its zone: '21 November 2026 at 10:24:56 UTC'. */
export const absoluteTime = (at: number): string => absolute().format(at);

/** To the minute: '26 Nov 2026, 10:00'. */
export const minuteText = (at: number): string => toMinute().format(at);

// 'yesterday' depends on midnight, not on 24 hours.
const calendarDays = (at: number, now: number) => Math.round(Math.abs(midnight(at) - midnight(now)) / day);
const midnight = (at: number) => new Date(at).setHours(0, 0, 0, 0);

// Created lazily, since the first use takes tens of milliseconds on a phone.
const relative = lazy(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }));
const date = lazy(() => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }));
const toMinute = lazy(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }));
const absolute = lazy(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'long' }));
