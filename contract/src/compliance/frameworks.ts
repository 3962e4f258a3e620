import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { endpoint } from '../core/endpoint.ts';
import { period, periodEnds } from '../core/periods.ts';
import { boundedText, timestamp } from '../core/text.ts';
import { controlStatus } from './controls.ts';

/** Maximum number of requirements in an imported profile, and of mappings to controls. */
export const MAX_REQUIREMENTS = 1000;
const MAX_MAPPINGS = 2000;
/** Maximum number of UTF-16 units in an imported profile. */
export const MAX_PROFILE_LENGTH = 800_000;

/** The ID of a built-in framework, or the UUID of an imported one. */
const frameworkId = boundedText(36).regex(/^[a-z0-9-]+$/, { error: 'must be the ID of a framework' });
const requirementId = boundedText(100).min(1, { error: 'is needed' });
const namedMember = z.object({ id: z.string(), name: z.string() });

/** A version of the mappings of a framework. Its hash changes with any requirement, control or rationale. */
const mappingVersion = z.object({
  /** 1 for the mappings of a release; counted up with each change of an imported framework. */
  version: z.number().int(),
  /** SHA-256 in hex of the canonical JSON of the mappings, as the ledger contains it. */
  sha256: z.string(),
  /** Who changed it, and when. Null: part of the release. */
  changed: z.object({ at: timestamp, by: namedMember }).nullable(),
  /** Null: not approved. */
  approved: z.object({ at: timestamp, by: namedMember }).nullable(),
});
export type MappingVersion = z.infer<typeof mappingVersion>;

const frameworkSummary = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['built_in', 'imported']),
  /** The address of the publication, or the title and version of the imported profile. */
  source: z.string(),
  requirements: z.number().int(),
  /** How many of them at least one control provides evidence for. */
  covered: z.number().int(),
  mapping: mappingVersion,
});
export type FrameworkSummary = z.infer<typeof frameworkSummary>;

/** `not_evaluated`: no evaluation is stored for the time. */
export const frameworkStatus = z.enum([...controlStatus.options, 'not_evaluated']);
export type FrameworkStatus = z.infer<typeof frameworkStatus>;

const frameworkRequirement = z.object({
  id: z.string(),
  title: z.string(),
  controls: z.array(z.object({ id: controlId, rationale: z.string() })),
  /** Why no control covers it; null: controls do, or no reason is recorded. */
  gap: z.string().nullable(),
  owner: namedMember.nullable(),
  dueOn: z.iso.date().nullable(),
  notes: z.string(),
});
export type FrameworkRequirement = z.infer<typeof frameworkRequirement>;

const frameworkDetails = frameworkSummary.extend({
  /** How identifiers are written, where the publication writes them otherwise. */
  identifiers: z.string().nullable(),
  /** Whether titles are those of the publication. Otherwise they are short names. */
  hasPublishedTitles: z.boolean(),
  period: periodEnds,
  /** The first days (UTC) of the weeks or months of the period, without those that have not begun. */
  intervals: z.object({ unit: z.enum(['week', 'month']), starts: z.array(z.iso.date()) }),
  /**
   * The mapped controls: the status of the newest evaluation for the whole period, and for each interval that of the
   * last evaluation in it.
   */
  controls: z.array(
    z.object({ id: controlId, title: z.string(), status: frameworkStatus, history: z.array(frameworkStatus) }),
  ),
  rows: z.array(frameworkRequirement),
});
export type FrameworkDetails = z.infer<typeof frameworkDetails>;

const reading = { scope: 'organization', permission: 'read:evidence' } as const;
const changing = { scope: 'organization', permission: 'create:evidence' } as const;
const params = z.strictObject({ frameworkId });

export const listFrameworks = endpoint({
  method: 'GET',
  path: '/v2/frameworks',
  summary: 'Lists the frameworks with how many requirements controls provide evidence for.',
  ...reading,
  topics: ['orgEvidence', 'orgMembers'],
  response: z.array(frameworkSummary),
});

export const getFramework = endpoint({
  method: 'GET',
  path: '/v2/frameworks/:frameworkId',
  summary: 'Returns the requirements of a framework with their controls and the status of these in a period.',
  ...reading,
  params,
  query: z.strictObject({ period: period.optional() }),
  topics: ['orgEvidence', 'orgMembers'],
  response: frameworkDetails,
  errors: ['not_found'],
});

const frameworkFormats = ['csv', 'oscal', 'pdf'] as const;
export type FrameworkFormat = (typeof frameworkFormats)[number];

export const exportFramework = endpoint({
  method: 'GET',
  path: '/v2/frameworks/:frameworkId/export',
  summary:
    'Exports a framework with the status of its controls in a period as CSV, OSCAL assessment results or PDF. The export is recorded in the audit log.',
  ...reading,
  params,
  query: z.strictObject({ period: period.optional(), format: z.enum(frameworkFormats).default('csv') }),
  response: z.string(),
  file: ['text/csv', 'application/json', 'application/pdf'],
  cost: 'export',
  errors: ['not_found'],
});

export const updateFrameworkRequirement = endpoint({
  method: 'PUT',
  path: '/v2/frameworks/:frameworkId/requirements/:requirementId',
  summary: 'Sets the owner, due date and notes of a requirement.',
  ...changing,
  params: params.extend({ requirementId }),
  body: z.strictObject({
    /** An active member. */
    ownerId: z.uuid().nullable(),
    dueOn: z.iso.date().nullable(),
    notes: boundedText(4000),
  }),
  status: 204,
  changes: ['orgEvidence'],
  response: z.null(),
  errors: ['not_found'],
});

export const importFramework = endpoint({
  method: 'POST',
  path: '/v2/frameworks',
  summary: 'Imports an OSCAL profile or catalog as a framework without mappings.',
  ...changing,
  body: z.strictObject({
    name: boundedText(120).trim().min(1, { error: 'is needed' }),
    /** An OSCAL profile or catalog as JSON text. */
    document: boundedText(MAX_PROFILE_LENGTH),
  }),
  status: 201,
  changes: ['orgEvidence'],
  response: z.object({ id: z.string(), requirements: z.number().int() }),
  errors: ['conflict'],
});

export const removeFramework = endpoint({
  method: 'DELETE',
  path: '/v2/frameworks/:frameworkId',
  summary: 'Removes an imported framework. The ledger keeps its mappings and approvals.',
  ...changing,
  params,
  status: 204,
  changes: ['orgEvidence'],
  response: z.null(),
  errors: ['not_found'],
});

export const updateFrameworkMapping = endpoint({
  method: 'PUT',
  path: '/v2/frameworks/:frameworkId/mapping',
  summary: 'Adds a version of the mappings of an imported framework.',
  ...changing,
  params,
  body: z.strictObject({
    /** The version that the change is based on. */
    version: z.number().int().min(0),
    mappings: z
      .array(
        z.strictObject({
          requirement: requirementId,
          control: controlId,
          rationale: boundedText(500).trim().min(1, { error: 'is needed' }),
        }),
      )
      .max(MAX_MAPPINGS),
  }),
  changes: ['orgEvidence'],
  response: mappingVersion,
  errors: ['not_found', 'conflict'],
});

export const approveFrameworkMapping = endpoint({
  method: 'POST',
  path: '/v2/frameworks/:frameworkId/approval',
  summary: 'Approves the current mappings of a framework. The author of a change cannot approve it.',
  ...changing,
  params,
  stepUp: true,
  /** The hash of the mappings that the approver saw. */
  body: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in hex' }) }),
  changes: ['orgEvidence'],
  response: mappingVersion,
  errors: ['not_found', 'conflict'],
});
