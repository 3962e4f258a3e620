import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { controlIds } from '../controls/catalog.ts';
import { textOf, toHex } from '../ledger/bytes.ts';
import type { CanonicalValue } from '../ledger/canonical.ts';
import { sha256 } from '../ledger/sha256.ts';
import { danglingReferencesIn, oscalPath } from './oscal.ts';
import { planPath } from './oscal-plan.ts';
import { catalogPath } from './oscal-terms.ts';
import { poamPath } from './poam.ts';
import { appendChanges, buildTestBundle, createTestLedger, key } from './testing/scene.ts';
import { verifyBundle } from './verify.ts';
import { openZip } from './zip-read.ts';

interface Schema {
  readonly definitions: { readonly [name: string]: object };
  readonly [key: string]: unknown;
}

// From the release schemas of compliance-trestle, as published by NIST; public domain.
const schema = JSON.parse(
  readFileSync(new URL('./testing/assessment-results-1.2.1.schema.json', import.meta.url), 'utf8'),
) as Schema;

const listOf = (name: string) => ({
  type: 'array',
  minItems: 1,
  items: { $ref: `#/definitions/oscal-ar-oscal-${name}` },
});
const common = (name: string) => ({ $ref: `#/definitions/oscal-ar-oscal-${name}` });
const reference = (name: string) => ({
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    properties: { [name]: { $ref: '#/definitions/UUIDDatatype' } },
    required: [name],
    additionalProperties: false,
  },
});
/** The model of the plan of action, which differs from that of assessment results in these two assemblies only. */
const planSchema: Schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  definitions: schema.definitions,
  type: 'object',
  properties: {
    'plan-of-action-and-milestones': {
      type: 'object',
      properties: {
        uuid: { $ref: '#/definitions/UUIDDatatype' },
        metadata: common('metadata:metadata'),
        'import-ssp': common('assessment-common:import-ssp'),
        'system-id': common('implementation-common:system-id'),
        observations: listOf('assessment-common:observation'),
        risks: listOf('assessment-common:risk'),
        findings: listOf('assessment-common:finding'),
        'poam-items': {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: {
              uuid: { $ref: '#/definitions/UUIDDatatype' },
              title: { type: 'string' },
              description: { type: 'string' },
              props: listOf('metadata:property'),
              links: listOf('metadata:link'),
              origins: {
                type: 'array',
                minItems: 1,
                items: {
                  type: 'object',
                  properties: { actors: listOf('assessment-common:origin-actor') },
                  required: ['actors'],
                  additionalProperties: false,
                },
              },
              'related-findings': reference('finding-uuid'),
              'related-observations': reference('observation-uuid'),
              'related-risks': reference('risk-uuid'),
              remarks: { type: 'string' },
            },
            required: ['title', 'description'],
            additionalProperties: false,
          },
        },
        'back-matter': common('metadata:back-matter'),
      },
      required: ['uuid', 'metadata', 'poam-items'],
      additionalProperties: false,
    },
  },
  required: ['plan-of-action-and-milestones'],
  additionalProperties: false,
};

/** The model of the assessment plan. Its assemblies are those of assessment results. */
const assessmentPlanSchema: Schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  definitions: schema.definitions,
  type: 'object',
  properties: {
    'assessment-plan': {
      type: 'object',
      properties: {
        uuid: { $ref: '#/definitions/UUIDDatatype' },
        metadata: common('metadata:metadata'),
        'import-ssp': common('assessment-common:import-ssp'),
        'local-definitions': {
          type: 'object',
          properties: {
            components: listOf('implementation-common:system-component'),
            'inventory-items': listOf('implementation-common:inventory-item'),
            users: listOf('implementation-common:system-user'),
            activities: listOf('assessment-common:activity'),
          },
          additionalProperties: false,
        },
        'reviewed-controls': common('assessment-common:reviewed-controls'),
        'assessment-subjects': listOf('assessment-common:assessment-subject'),
        'assessment-assets': common('assessment-common:assessment-assets'),
        tasks: listOf('assessment-common:task'),
        'back-matter': common('metadata:back-matter'),
      },
      required: ['uuid', 'metadata', 'import-ssp', 'reviewed-controls'],
      additionalProperties: false,
    },
  },
  required: ['assessment-plan'],
  additionalProperties: false,
};

/** The model of the catalog, as far as the document uses it. */
const catalogSchema: Schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  definitions: schema.definitions,
  type: 'object',
  properties: {
    catalog: {
      type: 'object',
      properties: {
        uuid: { $ref: '#/definitions/UUIDDatatype' },
        metadata: common('metadata:metadata'),
        controls: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: {
              id: { $ref: '#/definitions/TokenDatatype' },
              title: { type: 'string' },
              props: listOf('metadata:property'),
              parts: {
                type: 'array',
                minItems: 1,
                items: {
                  type: 'object',
                  properties: {
                    id: { $ref: '#/definitions/TokenDatatype' },
                    name: { $ref: '#/definitions/TokenDatatype' },
                    prose: { type: 'string' },
                  },
                  required: ['name'],
                  additionalProperties: false,
                },
              },
            },
            required: ['id', 'title'],
            additionalProperties: false,
          },
        },
        'back-matter': common('metadata:back-matter'),
      },
      required: ['uuid', 'metadata'],
      additionalProperties: false,
    },
  },
  required: ['catalog'],
  additionalProperties: false,
};

const validatorOf = (of: Schema) => {
  const ajv = new Ajv({ strict: false, unicodeRegExp: true, allErrors: true });
  addFormats.default(ajv);
  return ajv.compile(of);
};

test('writes valid OSCAL 1.2.1 with resolved references', async () => {
  const log = createTestLedger();
  const { bundle } = await buildTestBundle(log, appendChanges(log, 30), { name: '  A name\nof two lines ' });
  const document = JSON.parse(textOf(openZip(bundle).file(oscalPath))) as CanonicalValue;
  const validate = validatorOf(schema);
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  expect(danglingReferencesIn(document)).toEqual([]);
  const cut = JSON.parse(
    JSON.stringify(document).replace(/"observation-uuid":"./, '"observation-uuid":"f'),
  ) as CanonicalValue;
  expect(danglingReferencesIn(cut)).toHaveLength(1);
  const twice = { one: { uuid: 'a' }, two: { uuid: 'a' }, href: '#b' };
  expect(danglingReferencesIn(twice)).toEqual(['b', 'a']);
});

interface Observation {
  subjects: { 'subject-uuid': string }[];
  origins: { actors: { 'actor-uuid': string }[] }[];
}
interface Linked {
  'back-matter': { resources: { uuid: string; rlinks: { href: string; hashes: { value: string }[] }[] }[] };
}

test('writes a valid catalog with every control and objective that the results refer to', async () => {
  const log = createTestLedger();
  const { bundle } = await buildTestBundle(log, appendChanges(log, 30), { controls: controlIds });
  const zip = openZip(bundle);
  const document = JSON.parse(textOf(zip.file(catalogPath)));
  const validate = validatorOf(catalogSchema);
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  expect(danglingReferencesIn(document)).toEqual([]);
  const controls = document.catalog.controls as { id: string; parts: { id: string; name: string }[] }[];
  expect(controls.map(({ id }) => id)).toEqual(controlIds);
  const parts = controls.flatMap((one) => one.parts);
  expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
  const objectives = parts.filter(({ name }) => name === 'assessment-objective').map(({ id }) => id);
  const [result] = JSON.parse(textOf(zip.file(oscalPath)))['assessment-results'].results;
  const targets = (result.findings as { target: { 'target-id': string } }[]).map((one) => one.target['target-id']);
  expect(targets).toEqual(objectives);
});

test('writes a valid assessment plan, which the results import, and hashes of all linked files', async () => {
  const log = createTestLedger();
  const { bundle } = await buildTestBundle(log, appendChanges(log, 30));
  const zip = openZip(bundle);
  const document = JSON.parse(textOf(zip.file(planPath)));
  const validate = validatorOf(assessmentPlanSchema);
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  expect(danglingReferencesIn(document)).toEqual([]);
  const plan = document['assessment-plan'] as Linked & {
    'assessment-subjects': { 'include-subjects': { 'subject-uuid': string }[] }[];
    tasks: unknown[];
  };
  const results = JSON.parse(textOf(zip.file(oscalPath)))['assessment-results'] as Linked & {
    'import-ap': { href: string };
    results: { observations: Observation[] }[];
  };
  const imported = results['back-matter'].resources.find(({ uuid }) => `#${uuid}` === results['import-ap'].href);
  expect(imported?.rlinks[0]?.href).toBe(`../${planPath}`);
  const observations = results.results[0]?.observations ?? [];
  expect(plan.tasks).toHaveLength(observations.length);
  const planned = plan['assessment-subjects'][0]?.['include-subjects'].map((one) => one['subject-uuid']);
  const observed = observations.flatMap(({ subjects }) => subjects.map((one) => one['subject-uuid']));
  expect([...new Set(observed)].toSorted()).toEqual(planned?.toSorted());
  for (const { origins } of observations) expect(origins[0]?.actors).toHaveLength(1);
  const links = [...plan['back-matter'].resources, ...results['back-matter'].resources].flatMap(({ rlinks }) => rlinks);
  expect(links.length).toBeGreaterThan(4);
  for (const { href, hashes } of links) {
    expect([href, hashes[0]?.value]).toEqual([href, toHex(sha256(zip.file(href.slice(3))))]);
  }
});

interface PlanItem {
  description: string;
  origins?: { actors: { 'actor-uuid': string }[] }[];
  'related-observations': unknown[];
}

test('writes a valid plan of action with owners, due dates and observations of failing items', async () => {
  const log = createTestLedger();
  const { bundle } = await buildTestBundle(log, appendChanges(log, 30));
  const document = JSON.parse(textOf(openZip(bundle).file(poamPath))) as { [key: string]: never };
  const validate = validatorOf(planSchema);
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  expect(danglingReferencesIn(document)).toEqual([]);
  const plan = document['plan-of-action-and-milestones'] as unknown as {
    metadata: { parties: { uuid: string; 'external-ids': { id: string }[] }[] };
    risks: { status: string; deadline?: string }[];
    'poam-items': PlanItem[];
  };
  const [party] = plan.metadata.parties;
  expect(plan.metadata.parties.map((one) => one['external-ids'][0]?.id)).toEqual(['per_author']);
  expect(plan.risks).toMatchObject([{ status: 'closed', deadline: '2026-07-10T23:59:59.999Z' }, { status: 'open' }]);
  const [retested, assigned, ...others] = plan['poam-items'];
  expect(retested?.description).toBe(
    'The item change:change_3: failed, remediated on 2026-07-05, retested on 2026-07-06 with result pass.',
  );
  expect(retested?.origins?.[0]?.actors[0]?.['actor-uuid']).toBe(party?.uuid);
  // The failure, and two retests.
  expect(retested?.['related-observations']).toHaveLength(3);
  expect(assigned?.origins).toBeUndefined();
  expect(others.map(({ description }) => description)).toContainEqual(
    expect.stringMatching(/^\d+ failing items have no owner, due date or ticket\.$/),
  );
  expect(validate({ 'plan-of-action-and-milestones': { ...plan, 'poam-items': [] } })).toBe(false);
});

test('writes no plan of action if nothing fails', async () => {
  const empty = createTestLedger();
  const without = await buildTestBundle(empty, []);
  expect(openZip(without.bundle).paths).not.toContain(poamPath);
  expect(await verifyBundle(without.bundle, { keys: [key] })).toMatchObject({ valid: true });
});
