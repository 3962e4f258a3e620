import { z } from 'zod';

// PostgreSQL rejects NUL and cannot store lone surrogates. JSON permits both, so the contract rejects them.
const storable = (value: string) => !value.includes('\0') && value.isWellFormed();

/** A string that every data store accepts, at most `max` UTF-16 units long. */
export const boundedText = (max: number) =>
  z.string().max(max).refine(storable, { error: 'must be well-formed text without NUL characters' });

/**
 * A URL that the server connects to, if the server permits it. `architecture/hostile-urls.test.ts` finds such fields by
 * their format and sends hostile URLs to every endpoint that accepts one.
 */
export const outboundUrl = boundedText(2000).min(1, { error: 'is needed' }).meta({ format: 'uri' });

/** The same, but a host name without a scheme is also accepted. */
export const hostUrl = boundedText(300).meta({ format: 'uri' });

const earliest = Date.UTC(1970, 0, 1);
const latest = Date.UTC(2101, 0, 1);
const inRange = (value: string) => {
  const time = Date.parse(value);
  return time >= earliest && time < latest;
};

/** An RFC 3339 time with offset, from 1970 to 2100. */
export const timestamp = z.iso
  .datetime({ offset: true })
  .refine(inRange, { error: 'must be a time between 1970 and 2100' });

/** A comma-separated list in a query string: `a,b` becomes `['a', 'b']`, absent becomes `[]`. */
export const commaList = <T extends z.ZodType<string, string>>(item: T, max = 50) =>
  z
    .string()
    .max(4096)
    .default('')
    .transform((value) => [...new Set(value.split(',').filter((part) => part !== ''))])
    .pipe(z.array(item).max(max));

/** A path of this site: one slash, not followed by a slash or backslash, so that it cannot name another host. */
export const sitePath = boundedText(2000).regex(/^\/(?![/\\])[^\\\s]*$/, { error: 'must be a path of this site' });
