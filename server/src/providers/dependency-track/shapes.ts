import { z } from 'zod';

/**
 * Responses of the Dependency-Track API, see `/api/openapi.json` of any Dependency-Track, and
 * https://docs.dependencytrack.org/integrations/file-formats for findings. Times are epoch milliseconds.
 */

const text = z.string().nullish().catch(null);
const time = z.number().nullish().catch(null);
const score = z.number().min(0).max(10).nullish().catch(null);

export const projectList = z.array(
  z.object({
    uuid: z.string().min(1),
    name: text,
    version: text,
    /** Since 4.12. */
    isLatest: z.boolean().nullish().catch(null),
    externalReferences: z
      .array(z.object({ type: text, url: text }))
      .nullish()
      .catch(null),
  }),
);
export type TrackedProject = z.output<typeof projectList>[number];

export const projectTimes = z.object({ lastBomImport: time, lastVulnerabilityAnalysis: time });

const findingShape = z.object({
  component: z.object({ uuid: text, name: z.string().min(1), group: text, version: text, purl: text }),
  vulnerability: z.object({
    uuid: text,
    vulnId: z.string().min(1),
    source: text,
    title: text,
    description: text,
    recommendation: text,
    severity: text,
    cvssV3BaseScore: score,
    cvssV3Vector: text,
    cvssV2BaseScore: score,
    /** Since 4.14; some vulnerabilities have no other score. */
    cvssV4Score: score,
    cvssV4Vector: text,
    cweId: z.number().int().nullish().catch(null),
    cwes: z
      .array(z.object({ cweId: z.number().int() }))
      .nullish()
      .catch(null),
    aliases: z
      .array(z.object({ cveId: text, ghsaId: text }))
      .nullish()
      .catch(null),
  }),
  analysis: z
    .object({ state: text, isSuppressed: z.boolean().nullish().catch(null) })
    .nullish()
    .catch(null),
  attribution: z
    .object({ attributedOn: z.union([z.string(), z.number()]).nullish().catch(null) })
    .nullish()
    .catch(null),
});
export type TrackedFinding = z.output<typeof findingShape>;

export const findingList = z.array(findingShape);
