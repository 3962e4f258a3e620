import { expect, test } from 'vitest';
import { isExcluded } from './folders.ts';

const home = '/home/ada';
test.each([
  ['/home/ada/private', ['/home/ada/private'], true],
  ['/home/ada/private/notes/a.md', ['/home/ada/private/'], true],
  ['/home/ada/private/notes/a.md', ['~/private'], true],
  ['/home/ada/work/../private/a.md', ['~/private'], true],
  ['/home/ada/work', ['~'], true],
  ['/home/ada/private-not/a.md', ['~/private'], false],
  ['/home/ada/work/a.md', ['~/private', ' ', 'work'], false],
  ['/srv/a.md', [], false],
])('resolves %s with %j excluded to %s', (path, folders, excluded) => {
  expect(isExcluded(path, folders, home)).toBe(excluded);
});
