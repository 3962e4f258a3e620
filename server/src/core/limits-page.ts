import { type AttemptLimit, ATTEMPT_LIMITS as attemptLimits } from './attempts.ts';
import { costLimits, mailLimits, requestLimits } from './limits.ts';

interface LimitRow extends AttemptLimit {
  per: string;
  counts: string;
  running?: number;
}

/** Renders docs/rate-limits.md from the limits in code. */
export const writeLimitsPage = (): string => `# Rate limits and quotas

Written by \`npm run limits\` from \`server/src/core/limits.ts\`; a test compares both.

A request over a limit is answered with \`429\`, the code \`rate_limited\`, and \`Retry-After\` in seconds. Every answer carries the
\`RateLimit-Policy\` and \`RateLimit\` headers of the IETF draft *RateLimit header fields for HTTP*, with each limit the request was
counted against: \`RateLimit: "account";r=1499;t=60\` leaves 1,499 requests for 60 seconds. A window begins with its first request.

## Requests

Counted in the memory of each process, so that they cost the database nothing: behind N processes a limit is up to N times as high.
With \`REDIS_URL\` all processes count together; while Redis is unavailable each counts on its own.

${table(Object.values(requestLimits))}

## Expensive work

Counted in PostgreSQL for all processes together.

${table(Object.values(costLimits))}

## E-mail

Counted in PostgreSQL for each recipient across all organizations; tags after a plus sign and letter case do not make another
recipient. Each class has its own share, so that mail which a stranger can trigger never displaces security notices. Mail over the
budget is not sent: an invitation shows as failed and can be sent again, notifications wait for the next digest.

${table(Object.values(mailLimits))}

## Sign-in and secrets

Fixed, counted in PostgreSQL.

| Limit | Most | Window |
|---|---|---|
${Object.values(attemptLimits)
  .map((limit: AttemptLimit) => `| ${limit.name} | ${most(limit)} | ${windowText(limit.windowSeconds)} |`)
  .join('\n')}

## Changing a limit

\`RATE_LIMITS\` replaces numbers by the names above, separated by commas; \`NAME:running\` is how much runs at once, and \`*\` stands for
every limit: \`RATE_LIMITS=account=3000,exports=20,exports:running=2\`. The windows, and the limits of sign-in, are fixed. The server
does not start with a name that does not exist.
`;

function table(rows: readonly LimitRow[]): string {
  const hasRunning = rows.some(({ running }) => running !== undefined);
  const line = (...cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    line('Name', 'Per', 'Most', 'Window', ...(hasRunning ? ['At once'] : []), 'Counts'),
    line(...Array.from({ length: hasRunning ? 6 : 5 }, () => '---')),
    ...rows.map((row) =>
      line(
        `\`${row.name}\``,
        row.per,
        most(row),
        windowText(row.windowSeconds),
        ...(hasRunning ? [row.running === undefined ? '' : number(row.running)] : []),
        row.counts,
      ),
    ),
  ].join('\n');
}

const number = (value: number) => value.toLocaleString('en');
const most = ({ most: value, delayAfter }: AttemptLimit) =>
  delayAfter === undefined ? number(value) : `${number(value)}, each slower from number ${delayAfter + 1} on`;

function windowText(seconds: number): string {
  if (seconds % 86_400 === 0) return seconds === 86_400 ? 'day' : `${seconds / 86_400} days`;
  if (seconds % 3600 === 0) return seconds === 3600 ? 'hour' : `${seconds / 3600} hours`;
  return seconds === 60 ? 'minute' : `${seconds / 60} minutes`;
}
