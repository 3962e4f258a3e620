import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { owaspTop10 } from './compliance/owasp.ts';
import { parentWeaknesses } from './compliance/parents.ts';
import { cweTop25 } from './compliance/top-25.ts';
import { mapCompliances } from './compliance.ts';

const summaryOf = (
  ...[cwes, scannerControls = []]: [cwes: number[], scannerControls?: { framework: string; control: string }[]]
) => mapCompliances(cwes, scannerControls).map(({ framework, control, from }) => `${framework} ${control} ${from}`);

test('maps a weakness to every framework, newest first', () => {
  expect(summaryOf([89])).toEqual([
    'OWASP Top 10 2025 A05:2025 cwe',
    'OWASP Top 10 2021 A03:2021 cwe',
    'OWASP Top 10 2017 A1:2017 cwe',
    'CWE Top 25 2025 CWE-89 cwe',
    'CWE Top 25 2023 CWE-89 cwe',
  ]);
  expect(mapCompliances([89], [])[1]).toEqual({
    framework: 'OWASP Top 10 2021',
    control: 'A03:2021',
    title: 'Injection',
    url: 'https://owasp.org/Top10/2021/A03_2021-Injection/',
    from: 'cwe',
  });
});

test('titles categories as their published pages', () => {
  // The URL of a page contains the published title; the pages of 2017 are one document.
  const paged = owaspTop10.flatMap(({ controls }) => controls).filter(({ url }) => /\/A\d\d_20\d\d-/.test(url));
  expect(paged).toHaveLength(20);
  for (const { title, url } of paged) {
    const slug = /A\d\d_20\d\d-([^/]+)\//.exec(url)?.[1];
    expect(title.replaceAll(' ', '_')).toBe(slug?.replace('%28', '(').replace('%29', ')'));
  }
});

test('maps an unlisted weakness by its parents, at most three levels up', () => {
  // 1333 is a child of 407, 405 and 400, which no list contains.
  expect(summaryOf([1333])).toEqual([]);
  // 81 is a child of 79.
  expect(summaryOf([81])).toContain('OWASP Top 10 2017 A7:2017 cwe');
  // 121 is on the newer list itself; on the older one it maps to its ancestor 119, by 788.
  expect(summaryOf([121])).toEqual(['CWE Top 25 2025 CWE-121 cwe', 'CWE Top 25 2023 CWE-119 cwe']);
  expect(summaryOf([4_000_000, 0, -1])).toEqual([]);
});

test('counts several weaknesses of one control once', () => {
  expect(summaryOf([77, 78, 89]).filter((one) => one.startsWith('OWASP Top 10 2021'))).toEqual([
    'OWASP Top 10 2021 A03:2021 cwe',
  ]);
});

test('normalizes framework names of a scanner and ignores its own presets', () => {
  const scannerControls = [
    'SANS top 25',
    'ASA Premium',
    'CWE top 25',
    'PCI DSS v4.0',
    'pci-dss 4.0',
    'ASD STIG 6.1',
    'NIST SP 800-53',
    'OWASP Top 10 2021',
    'OWASP Top 10 2013',
    'OWASP Top 10 API 2023',
    'Base Preset',
    'Top Tier',
    ' OWASP  ASVS ',
  ].map((framework) => ({ framework, control: '' }));
  expect(summaryOf([89], scannerControls).slice(5)).toEqual(
    [
      'ASD STIG 6.1  scanner',
      'OWASP API Security Top 10 2023  scanner',
      'OWASP ASVS  scanner',
      'OWASP Top 10 2013  scanner',
      'PCI DSS v4.0  scanner',
      'NIST SP 800-53  scanner',
      'SANS Top 25  scanner',
    ].sort(new Intl.Collator('en', { numeric: true }).compare),
  );
  // Without a weakness, no mapped control covers the framework.
  expect(summaryOf([], [{ framework: 'owasp_top_10_2021', control: '' }])).toEqual(['OWASP Top 10 2021  scanner']);
});

describe('a control named by the scanner', () => {
  test.each([
    ['OWASP Top 10 2021', 'A3', 'A03:2021'],
    ['OWASP Top 10 2021', 'a03:2021-Injection', 'A03:2021'],
    ['owasp top ten 2017', 'A03', 'A3:2017'],
    ['OWASP Top 10 (2021)', '10', 'A10:2021'],
    ['NIST SP 800-53 rev 5', 'SI-10', 'SI-10'],
    ['PCI DSS v4.0', '6.2.4', '6.2.4'],
  ])('resolves %s %s to %s', (framework, spelled, control) => {
    expect(mapCompliances([], [{ framework, control: spelled }])[0]).toMatchObject({ control, from: 'scanner' });
  });

  test('overrides the one derived from the weakness', () => {
    const all = mapCompliances([89], [{ framework: 'OWASP Top 10 2021', control: 'A03' }]);
    expect(all.filter(({ control }) => control === 'A03:2021')).toMatchObject([
      { from: 'scanner', title: 'Injection' },
    ]);
  });
});

test('every framework is complete, and every control has a title and a URL', () => {
  expect(owaspTop10.map(({ controls }) => controls.length)).toEqual([10, 10, 10]);
  expect(cweTop25.map(({ controls }) => controls.length)).toEqual([25, 25]);
  for (const { controls } of [...owaspTop10, ...cweTop25]) {
    for (const { title, url, cwes } of controls) {
      expect(title.length).toBeGreaterThan(5);
      expect(URL.canParse(url)).toBe(true);
      expect(new Set(cwes).size).toBe(cwes.length);
    }
  }
  for (const child of parentWeaknesses.keys()) expect(climb(child), `CWE-${child} is in a cycle`).toBeLessThan(20);
});

const climb = (from: number): number => {
  let steps = 0;
  for (let at = parentWeaknesses.get(from); at !== undefined && steps < 20; at = parentWeaknesses.get(at)) steps += 1;
  return steps;
};

// The published lists, if a copy is beside the checkout.
const reference = new URL('../../../../../../shared/fixtures/reference/', import.meta.url);

describe.skipIf(!existsSync(reference))('compared with the published lists', () => {
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, reference), 'utf8'));

  test('every framework contains exactly the published entries', () => {
    const map = read('cwe-owasp-map.json') as Record<string, Record<string, number[]>> & { cweTop25_2023: number[] };
    for (const year of ['2017', '2021', '2025']) {
      const lists = [map[`owasp${year}`], map[`owasp${year}_docs`]].filter((list) => list !== undefined);
      const cataloged = owaspTop10.find(({ framework }) => framework.endsWith(year))?.controls ?? [];
      cataloged.forEach(({ control, cwes }, index) => {
        const published = new Set(lists.flatMap((list) => Object.values(list)[index] ?? []));
        expect([control, [...cwes].sort((a, b) => a - b)]).toEqual([control, [...published].sort((a, b) => a - b)]);
      });
    }
    expect(cweTop25[1]?.controls.map(({ cwes }) => cwes[0])).toEqual(map.cweTop25_2023);
  });

  test('every weakness maps to the same controls as in the full tree', () => {
    const tree = read('cwe-4.20-slim.json') as { id: string; parent: string | null }[];
    const number = (id: string) => Number(id.slice(4));
    const parents = new Map(tree.flatMap(({ id, parent }) => (parent ? [[number(id), number(parent)] as const] : [])));
    for (const { id } of tree) {
      const expected = [...owaspTop10, ...cweTop25].flatMap(({ framework, controls }) => {
        let at: number | undefined = number(id);
        for (let step = 0; step <= 3 && at !== undefined; step += 1, at = parents.get(at)) {
          const weakness = at;
          const named = controls.filter(({ cwes }) => cwes.includes(weakness));
          if (named.length > 0) return named.map(({ control }) => `${framework} ${control} cwe`);
        }
        return [];
      });
      expect([id, summaryOf([number(id)])]).toEqual([id, expected]);
    }
  });
});
