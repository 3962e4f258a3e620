import { describe, expect, test } from 'vitest';
import { catalogVersion, controlIds, definitions } from './catalog.ts';
import { controls } from './control-list.ts';
import { frameworkIds, requirements } from './crosswalk.ts';
import { sources } from './sources.ts';

const sentence = /^[A-Z].*\.$/s;

describe('The catalog', () => {
  test('has sixteen controls and the two that guard the others, each with its own ID', () => {
    expect(controlIds).toHaveLength(18);
    expect(controlIds.slice(-2)).toEqual(['LOG-01', 'DIG-01']);
    expect(definitions.map(({ id }) => id)).toEqual(controlIds);
    expect(catalogVersion).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test.each(definitions.map((definition) => [definition.id, definition] as const))('describes %s', (_id, it) => {
    expect(it.title).toMatch(/^[A-Z][^.]*$/);
    for (const words of [it.rule, it.population, ...Object.values(it.verdicts)]) expect(words).toMatch(sentence);
    expect(it.sources.length).toBeGreaterThan(0);
  });

  test.each(definitions.map((definition) => [definition.id, definition] as const))(
    'has defaults of %s within their bounds',
    (_id, it) => {
      for (const parameter of Object.values(it.parameters)) {
        expect(parameter.title).toMatch(/^[A-Z]/);
        if (parameter.kind !== 'number') continue;
        expect(parameter.default).toBeGreaterThanOrEqual(parameter.min);
        expect(parameter.default).toBeLessThanOrEqual(parameter.max);
      }
    },
  );

  test('maps every control to SOC 2, ISO 27001, SSDF and SAMM, and uses every requirement it names', () => {
    for (const { crosswalk } of definitions) {
      expect(Object.keys(crosswalk)).toEqual(expect.arrayContaining(['soc2', 'iso27001', 'ssdf', 'samm']));
    }
    for (const framework of frameworkIds) {
      const used = definitions.flatMap(({ crosswalk }) => crosswalk[framework] ?? []);
      expect([...new Set(used)].sort()).toEqual(Object.keys(requirements[framework]).sort());
    }
  });

  // Reviewed by what each control proves. A mapping that returns needs a control that proves it.
  test.each([
    ['TOL-01', 'pci', '6.3.2', 'it lists the tools of developers, not the components of software'],
    ['LOG-01', 'pci', '10.2.1', 'it is about our ledger, not the logs of systems'],
    ['LOG-01', 'iso27001', 'A.8.15', 'it is about our ledger, not the logs of systems'],
    ['LOG-01', 'cis', '8.10', 'it is about our ledger, not the logs of systems'],
    ['LOG-01', 'ssdf', 'PS.2', 'it says nothing of released software'],
    ['DIG-01', 'pci', '10.4.1', 'digests are weekly, and the requirement is daily'],
    ['CHG-05', 'pci', '6.2.4', 'a check that passed does not prove that attacks are prevented'],
    ['SCN-01', 'pci', '6.2.4', 'a scan that ran does not prove that attacks are prevented'],
    ['SCN-01', 'ssdf', 'PW.8', 'scanners of source code execute nothing'],
    ['CHG-05', 'ssdf', 'PW.8', 'the required checks may be of any kind'],
    ['AI-01', 'iso27001', 'A.8.30', 'agents are not outsourced development'],
    ['VUL-02', 'soc2', 'CC6.1', 'a remediated secret does not prove access control'],
  ] as const)('does not map %s to %s %s: %s', (id, framework, requirement, _reason) => {
    expect(controls[id].crosswalk[framework as 'soc2'] ?? []).not.toContain(requirement);
  });

  test('has a remedy for every data source, and uses every data source', () => {
    for (const { remedy } of Object.values(sources)) expect(remedy).toMatch(sentence);
    const needed = new Set(definitions.flatMap((definition) => definition.sources));
    expect([...needed].sort()).toEqual(Object.keys(sources).sort());
  });

  test('has defaults that assume nothing', () => {
    expect(controls['VUL-01'].parameters.acceptedDismissals.default).toEqual([]);
    expect(controls['CHG-01'].parameters.approvals.default).toBe(1);
  });
});
