export interface Guard {
  /** What holds, as a sentence without its full stop. */
  name: string;
  file: string;
  /** How it is taken away: texts that occur once in the file, and what stands there instead. */
  changes: readonly (readonly [find: string, replace: string])[];
  /** The tests that must notice, below server/src unless they say otherwise. */
  tests: readonly string[];
  /** A regular expression: which tests of a file that takes long. */
  only?: string;
}

/** A test may be `file > part of a name`: of a file that takes long, only those. Then each of them must name a part. */
export const guard = (name: string, file: string, find: string, replace: string, ...tests: string[]): Guard => {
  const parts = tests.flatMap((test) => test.split(' > ').slice(1));
  if (parts.length > 0 && parts.length < tests.length)
    throw new Error(`${name}: a test without a part would ask nothing.`);
  const only = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return {
    name,
    file,
    changes: [[find, replace]],
    tests: tests.map((test) => test.split(' > ')[0] ?? test),
    ...(only !== '' && { only }),
  };
};

export const domains = 'server/src/domains';
export const core = 'server/src/core';
export const migrations = 'server/src/database/migrations';

/** A test about the whole. */
export const architecture = (name: string): string => `architecture/${name}.test.ts`;

/** A test of a feature. */
export const test = (noun: string, file = 'routes'): string => `domains/${noun}/${file}.test.ts`;

/** The row of one call in the matrix of who may do what. Names past forty letters are cut in the names of tests. */
export const matrix = (call: string): string =>
  `${architecture('access')} > '${call.length > 36 ? call.slice(0, 36) : `${call}'`}`;
