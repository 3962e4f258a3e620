import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { endpoint } from '../core/endpoint.ts';
import { periodEnds } from '../core/periods.ts';
import { boundedText, timestamp } from '../core/text.ts';
import { ofPortal, portalRow, portalScope } from './auditor-portals.ts';
import { attachment, workpaperPosition } from './portal-attachments.ts';

/** How the rows of a sample are selected; only the first two need a seed. */
export const sampleMethods = ['random', 'systematic', 'judgmental', 'all'] as const;
export const sampleMethod = z.enum(sampleMethods);
export type SampleMethod = z.infer<typeof sampleMethod>;

/** What the auditor concludes about a row or a sample. */
export const conclusions = ['effective', 'exception', 'inconclusive', 'not_tested'] as const;
export const conclusion = z.enum(conclusions);
export type Conclusion = z.infer<typeof conclusion>;

/** Maximum number of rows in a kept sample, and of kept samples in a portal. */
export const MAX_KEPT_ROWS = 500;
export const MAX_PORTAL_SAMPLES = 200;

/**
 * Suggests a number of rows: small populations by frequency, 10 percent up to 250 items, and 25 to 60 above. A starting
 * point in the range of published guidance for tests of controls, which the methodology of the auditor replaces.
 */
export function suggestedSampleSize(population: number): { least: number; most: number } {
  const small = smallPopulations.find(([upTo]) => population <= upTo);
  const [, least, most] = small ?? largePopulation(population);
  return { least: Math.min(population, least), most: Math.min(population, most) };
}

/** Quarterly, monthly, semimonthly and weekly controls: the largest population, and the least and most rows. */
const smallPopulations = [
  [4, 2, 2],
  [12, 2, 4],
  [24, 3, 8],
  [52, 5, 9],
] as const;

const largePopulation = (population: number): readonly [number, number, number] =>
  population <= 250 ? [population, Math.max(9, Math.ceil(population / 10)), 25] : [population, 25, 60];

const auditSample = z.object({
  id: z.string(),
  name: z.string(),
  snapshot: z.object({ id: z.string(), name: z.string() }),
  control: controlId,
  method: sampleMethod,
  /** Null: the method needs none. */
  seed: z.string().nullable(),
  /** Why these rows or this size; may be empty. */
  reason: z.string(),
  /** Number of rows from which it was selected. */
  population: z.number().int(),
  size: z.number().int(),
  createdAt: timestamp,
});
export type AuditSample = z.infer<typeof auditSample>;

/** The current workpaper of a row or a sample. */
const workpaper = z.object({
  conclusion,
  note: z.string(),
  /** Counts the changes. */
  version: z.number().int(),
  writtenAt: timestamp,
});
export type Workpaper = z.infer<typeof workpaper>;

/** A sample with the number of rows by conclusion. Only the auditor sees conclusions. */
const auditorSample = auditSample.extend({
  tested: z.record(conclusion, z.number().int()),
  /** About the sample as a whole. */
  conclusion: conclusion.nullable(),
});
export type AuditorSample = z.infer<typeof auditorSample>;

const sampleRow = z.object({ row: portalRow, attachments: z.array(attachment) });

const ofSample = ofPortal.extend({ sampleId: z.uuid() });

export const listPortalSamples = endpoint({
  method: 'GET',
  path: '/v2/auditor-portals/:portalId/samples',
  summary: 'Lists the samples that the auditor of a portal selected, newest first.',
  scope: 'organization',
  permission: 'read:evidence',
  params: ofPortal,
  topics: ['orgEvidence'],
  response: z.array(auditSample),
});

export const getPortalSampleRows = endpoint({
  method: 'GET',
  path: '/v2/auditor-portals/:portalId/samples/:sampleId',
  summary: 'Returns a sample of the auditor with its rows and the files of the organization.',
  scope: 'organization',
  permission: 'read:evidence',
  params: ofSample,
  topics: ['orgEvidence'],
  response: auditSample.extend({ rows: z.array(sampleRow), attachments: z.array(attachment) }),
  errors: ['conflict'],
});

export const listAuditSamples = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/samples',
  summary: 'Lists the samples of a portal with the conclusions of the auditor, newest first.',
  ...portalScope,
  params: ofPortal,
  topics: ['portalSamples'],
  response: z.array(auditorSample),
});

/** A sample of an earlier period. Its conclusion is a reference, and no result of this portal. */
const earlierSample = auditSample.extend({
  snapshot: z.object({ id: z.string(), name: z.string(), period: periodEnds }),
  conclusion: conclusion.nullable(),
  /** Number of rows with a conclusion, and of those concluded as an exception. */
  tested: z.number().int(),
  exceptions: z.number().int(),
});
export type EarlierSample = z.infer<typeof earlierSample>;

export const getEarlierPortal = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/earlier',
  summary:
    'Returns the samples of the earlier period that this portal continues, with their conclusions as references.',
  ...portalScope,
  params: ofPortal,
  response: z.object({
    portal: z.object({ id: z.string(), name: z.string() }).nullable(),
    samples: z.array(earlierSample),
  }),
});

export const createAuditSample = endpoint({
  method: 'POST',
  path: '/v2/portal/:portalId/samples',
  summary: 'Selects and keeps a sample of the rows of a control. Method, seed and rows are recorded in the ledger.',
  ...portalScope,
  params: ofPortal,
  body: z
    .strictObject({
      name: boundedText(120).trim().min(1),
      snapshot: z.uuid(),
      control: controlId,
      method: sampleMethod,
      /** For `random` and `systematic`. */
      size: z.number().int().min(1).max(MAX_KEPT_ROWS).optional(),
      /** Default: the root hash of the checkpoint. */
      seed: boundedText(200).trim().min(1).optional(),
      /** For `judgmental`: the selected rows of the evidence file, from 0. */
      positions: z.array(z.number().int().min(0).max(10_000_000)).min(1).max(MAX_KEPT_ROWS).optional(),
      reason: boundedText(2000).trim().default(''),
    })
    .refine(({ method, positions }) => (method === 'judgmental') === (positions !== undefined), {
      error: 'are needed for this method only',
      path: ['positions'],
    })
    .refine(({ method, size }) => (method === 'random' || method === 'systematic') === (size !== undefined), {
      error: 'is needed for random and systematic samples only',
      path: ['size'],
    })
    .refine(({ method, reason }) => method !== 'judgmental' || reason !== '', {
      error: 'is needed: why were these rows selected?',
      path: ['reason'],
    }),
  changes: ['portalSamples'],
  response: auditorSample,
  status: 201,
  errors: ['conflict'],
});

export const getAuditSample = endpoint({
  method: 'GET',
  path: '/v2/portal/:portalId/samples/:sampleId',
  summary: 'Returns a sample with its rows, workpapers and files.',
  ...portalScope,
  params: ofSample,
  topics: ['portalSamples'],
  response: auditorSample.extend({
    rows: z.array(sampleRow.extend({ workpaper: workpaper.nullable() })),
    /** About the sample as a whole. */
    workpaper: workpaper.nullable(),
    attachments: z.array(attachment),
  }),
  errors: ['conflict'],
});
export type AuditSampleDetails = z.infer<typeof getAuditSample.response>;

export const writeWorkpaper = endpoint({
  method: 'POST',
  path: '/v2/portal/:portalId/samples/:sampleId/workpapers',
  summary: 'Writes the conclusion and note of the auditor about a row or a sample. Earlier versions are kept.',
  ...portalScope,
  params: ofSample,
  body: z.strictObject({
    position: workpaperPosition,
    conclusion,
    note: boundedText(8000).trim(),
  }),
  changes: ['portalSamples'],
  response: workpaper,
  status: 201,
  errors: ['conflict'],
});
