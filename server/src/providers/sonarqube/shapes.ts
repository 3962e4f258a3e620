import { z } from 'zod';

/**
 * Responses of the SonarQube Web API, see `/web_api` of any SonarQube, and the examples in
 * `server/sonar-webserver-webapi/src/main/resources` of SonarSource/sonarqube. Optional fields depend on the version.
 */

const text = z.string().nullish().catch(null);
const paging = z.object({ pageIndex: z.number(), pageSize: z.number(), total: z.number() });

export const validation = z.object({ valid: z.boolean() });

export const componentPage = z.object({
  paging,
  components: z.array(z.object({ key: z.string().min(1), name: text })),
});

export const branchList = z.object({
  branches: z.array(z.object({ name: z.string().min(1), isMain: z.boolean().catch(false), analysisDate: text })),
});

export const analysisPage = z.object({
  analyses: z.array(z.object({ key: z.string().min(1), date: z.string(), revision: text })),
});

export const linkList = z.object({ links: z.array(z.object({ type: text, url: text })) });

export const binding = z.object({ alm: text, repository: text, repositoryUrl: text });

const textRange = z
  .object({
    startLine: z.number().int().min(1),
    endLine: z.number().int().min(1),
    startOffset: z.number().int().min(0).optional().catch(undefined),
    endOffset: z.number().int().min(0).optional().catch(undefined),
  })
  .nullish()
  .catch(null);

const flows = z
  .array(z.object({ locations: z.array(z.object({ component: text, textRange, msg: text })).catch([]) }))
  .nullish()
  .catch(null);

const issueShape = z.object({
  key: z.string().min(1),
  rule: z.string().min(1),
  component: z.string(),
  message: text,
  severity: text,
  impacts: z
    .array(z.object({ softwareQuality: z.string(), severity: z.string() }))
    .nullish()
    .catch(null),
  status: text,
  issueStatus: text,
  resolution: text,
  line: z.number().int().min(1).nullish().catch(null),
  hash: text,
  textRange,
  flows,
  creationDate: text,
  updateDate: text,
  comments: z
    .array(z.object({ markdown: text }))
    .nullish()
    .catch(null),
});
export type SonarIssue = z.output<typeof issueShape>;

const componentPaths = z
  .array(z.object({ key: z.string(), path: text }))
  .nullish()
  .catch(null);

export const issuePage = z.object({
  paging,
  issues: z.array(issueShape),
  components: componentPaths,
  rules: z
    .array(z.object({ key: z.string(), name: text, langName: text }))
    .nullish()
    .catch(null),
});
const hotspotShape = z.object({
  key: z.string().min(1),
  /** Absent in versions such as 8.6, where only the hotspot itself names its rule. */
  ruleKey: z.string().min(1).nullish(),
  component: z.string(),
  message: text,
  securityCategory: text,
  vulnerabilityProbability: text,
  status: text,
  resolution: text,
  line: z.number().int().min(1).nullish().catch(null),
  textRange,
  flows,
  creationDate: text,
});
export type SonarHotspot = z.output<typeof hotspotShape> & { ruleKey: string };

export const hotspotAnswer = z.object({ rule: z.object({ key: z.string().min(1) }) });

export const hotspotPage = z.object({ paging, hotspots: z.array(hotspotShape), components: componentPaths });

/** Only the number of items. */
export const total = z.object({ paging });
export const newestIssue = z.object({ paging, issues: z.array(z.object({ updateDate: text, creationDate: text })) });

export const ruleAnswer = z.object({
  rule: z.object({
    name: text,
    langName: text,
    htmlDesc: text,
    descriptionSections: z
      .array(z.object({ key: z.string(), content: z.string() }))
      .nullish()
      .catch(null),
  }),
});
