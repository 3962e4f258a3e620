import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { detectTools } from './detect.ts';
import { expectations } from './expectations.fixture.ts';

const folder = new URL('../../../../../../../shared/fixtures/ci/', import.meta.url);

/** The vendor of an action is its publisher. */
const vendors: Record<string, string> = {
  actions: 'GitHub',
  github: 'GitHub',
  docker: 'Docker',
  'aws-actions': 'Amazon Web Services',
  aquasecurity: 'Aqua Security',
  checkmarx: 'Checkmarx',
  'step-security': 'StepSecurity',
  ossf: 'OpenSSF',
  coverallsapp: 'Coveralls',
  gitleaks: 'Gitleaks',
  zizmorcore: 'zizmor',
  'oras-project': 'ORAS',
  gr2m: 'gr2m',
  'peter-evans': 'peter-evans',
  skitionek: 'Skitionek',
  'apple-actions': 'Apple-Actions',
  douglascamata: 'douglascamata',
};

describe.skipIf(!existsSync(folder))('recorded CI files (skipped where ../shared/fixtures is absent)', () => {
  const contentOf = (file: string) => readFileSync(new URL(encodeURI(file), folder), 'utf8');
  const detected = (file: string) => detectTools(file.slice(file.indexOf('/') + 1), contentOf(file));

  test.each(Object.entries(expectations))('%s', (file, expected) => {
    const actual = detected(file).map(({ tool, line, version }) => `${line ?? 0} ${tool.id} ${version ?? ''}`.trim());
    expect(actual).toEqual(expected.trim().split(/\n\s*/));
  });

  test('every line that uses a third-party action is reported with its vendor', { tags: 'full' }, () => {
    const used = Object.keys(expectations).flatMap((file) =>
      contentOf(file)
        .split('\n')
        .flatMap((line, index) => {
          const owner = /^\s*(?:- )?uses: ([^./][^/]*)\//.exec(line)?.[1];
          return owner === undefined ? [] : [{ file, line: index + 1, vendor: vendors[owner.toLowerCase()] }];
        }),
    );
    expect(used.length).toBe(100);
    const reported = used.map(({ file, line }) => ({
      file,
      line,
      vendor: detected(file).find((one) => one.line === line)?.tool.vendor,
    }));
    expect(reported).toEqual(used);
  });
});
