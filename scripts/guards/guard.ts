export interface Mutation {
  /** The behavior that the mutation removes, as a verb phrase. */
  name: string;
  file: string;
  /** The mutation: texts that occur once in the file, and their replacements. */
  changes: readonly (readonly [find: string, replace: string])[];
  /** The tests that must detect it, below server/src unless the path starts with another workspace. */
  tests: readonly string[];
  /** A regular expression that selects tests of a slow file. */
  only?: string;
}

/**
 * A test may be `file > part of a name`, to run only matching tests of a slow file. Then each test must name a part.
 */
export const mutation = (name: string, file: string, find: string, replace: string, ...tests: string[]): Mutation => {
  const parts = tests.flatMap((test) => test.split(' > ').slice(1));
  if (parts.length > 0 && parts.length < tests.length)
    throw new Error(`${name}: either every test names a part of a title, or none.`);
  const only = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return {
    name,
    file,
    changes: [[find, replace]],
    tests: tests.map((test) => test.split(' > ')[0] ?? test),
    ...(only !== '' && { only }),
  };
};

export const domainsPath = 'server/src/domains';
export const corePath = 'server/src/core';
export const migrationsPath = 'server/src/database/migrations';

/** An architecture test. */
export const architectureTest = (name: string): string => `architecture/${name}.test.ts`;

/** A test of a feature. */
export const domainTest = (noun: string, file = 'routes'): string => `domains/${noun}/${file}.test.ts`;

/** The row of one call in the access matrix. Test names contain at most forty characters of the call. */
export const accessMatrixTest = (call: string): string =>
  `${architectureTest('access')} > '${call.length > 36 ? call.slice(0, 36) : `${call}'`}`;
