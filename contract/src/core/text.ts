import { z } from 'zod';

// PostgreSQL refuses NUL and cannot store a lone surrogate: both pass JSON and must stop at the door.
const storable = (value: string) => !value.includes('\0') && value.isWellFormed();

/** A string that any of our stores can hold, at most `max` UTF-16 units long. */
export const text = (max: number) =>
  z.string().max(max).refine(storable, { error: 'must be well-formed text without NUL characters' });

/**
 * An address that the server is to connect to. Whether it may is decided by the server; every endpoint that takes one is called with
 * hostile addresses by `architecture/hostile-urls.test.ts`, which finds it by this format.
 */
export const url = text(2000).min(1, { error: 'is needed' }).meta({ format: 'uri' });

/** The same, where a name alone stands for an address. */
export const hostUrl = text(300).meta({ format: 'uri' });

const earliest = Date.UTC(1970, 0, 1);
const latest = Date.UTC(2101, 0, 1);
const inRange = (value: string) => {
  const time = Date.parse(value);
  return time >= earliest && time < latest;
};

/** An RFC 3339 time with an offset, between 1970 and 2100. */
export const instant = z.iso
  .datetime({ offset: true })
  .refine(inRange, { error: 'must be a time between 1970 and 2100' });

/** A comma-separated list in a query string: `a,b` is `['a', 'b']`, absent is `[]`. */
export const commaList = <T extends z.ZodType<string, string>>(item: T, max = 50) =>
  z
    .string()
    .max(4096)
    .default('')
    .transform((value) => [...new Set(value.split(',').filter((part) => part !== ''))])
    .pipe(z.array(item).max(max));

/** A path of this site: one slash, then neither a slash nor a backslash, so that it cannot name another host. */
export const sitePath = text(2000).regex(/^\/(?![/\\])[^\\\s]*$/, { error: 'must be a path of this site' });
