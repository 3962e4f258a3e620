import { expect, test } from 'vitest';
import { controlIds } from '../controls/catalog.ts';
import { frameworkData, frameworkIds } from '../controls/crosswalk.ts';

const sentence = /^[A-Z].*\.$/;

test.each(frameworkIds)(
  '%s names its source, and each requirement once, with a reason for each mapping or gap',
  (id) => {
    const { name, source, identifiers, requirements } = frameworkData[id];
    expect(name.length).toBeGreaterThan(5);
    expect(source).toMatch(/^https:\/\/[a-z0-9.-]+\/\S+$/);
    if (identifiers !== undefined) expect(identifiers).toMatch(/\.$/);
    expect(new Set(requirements.map(([requirement]) => requirement)).size).toBe(requirements.length);
    for (const [requirement, title, evidence] of requirements) {
      expect(requirement).toMatch(/^[\w.()-]{1,20}$/);
      // Short names, not the texts of standards. The longest published title has 119 characters.
      expect(title.length).toBeLessThanOrEqual(120);
      expect(title).toMatch(/^[A-Z].*[^.]$/);
      if (typeof evidence === 'string') expect(evidence).toMatch(sentence);
      else {
        const controls = evidence.flatMap(([mapped]) => mapped);
        expect(controls.length).toBeGreaterThan(0);
        expect(new Set(controls).size).toBe(controls.length);
        expect(controlIds).toEqual(expect.arrayContaining(controls));
        for (const [, rationale] of evidence) expect(rationale).toMatch(sentence);
      }
    }
  },
);

test('names requirements without a control in each framework that has requirements outside the recorded data', () => {
  for (const id of frameworkIds.filter((framework) => framework !== 'samm')) {
    expect(frameworkData[id].requirements.some(([, , evidence]) => typeof evidence === 'string')).toBe(true);
  }
});
