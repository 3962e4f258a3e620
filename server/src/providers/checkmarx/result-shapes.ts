import { z } from 'zod';

/**
 * One result of the API. Fields may be missing, empty or spelled differently, so each field is parsed separately, and
 * an invalid field counts as missing.
 */

const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null)
  .transform((value) => value?.trim() || null);

// A positive integer, also as text.
const positiveInteger = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .nullish()
  .catch(null)
  .transform((value) => (value != null && Number.isSafeInteger(value) && value > 0 ? value : null));

// A number from 0 to 10, also as text.
const score = z
  .union([z.number(), z.string().trim().min(1).transform(Number)])
  .nullish()
  .catch(null)
  .transform((value) => (value != null && value >= 0 && value <= 10 ? Math.round(value * 10) / 10 : null));

const list = <S extends z.ZodType>(item: S) =>
  z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((items) =>
      (items ?? []).flatMap((one) => {
        const parsed = item.safeParse(one);
        return parsed.success ? [parsed.data] : [];
      }),
    );

const node = z.object({ fileName: text, line: positiveInteger, name: text, fullName: text });

const scaPackage = z
  .object({ locations: list(z.string()), fixLink: text })
  .nullish()
  .catch(null);

const data = z.object({
  queryId: text,
  queryName: text,
  languageName: text,
  resultHash: text,
  sourceFileName: text,
  sourceLine: positiveInteger,
  // API security
  httpMethod: text,
  url: text,
  group: text,
  nodes: list(node),
  // kics and secrets
  fileName: text,
  filename: text,
  line: positiveInteger,
  platform: text,
  issueType: text,
  expectedValue: text,
  value: text,
  // packages
  packageIdentifier: text,
  packageName: text,
  packageVersion: text,
  packageData: list(z.object({ url: z.string(), type: text })),
  scaPackageData: scaPackage,
  recommendedVersion: text,
  recommendations: text,
  // images
  imageName: text,
  imageTag: text,
  imageFilePath: text,
  // secrets and scorecard
  ruleId: text,
  ruleName: text,
  ruleDescription: text,
  remediationLink: text,
});

const details = z.object({
  cweId: text,
  cveName: text,
  cvssScore: score,
  cvss: z.record(z.string(), z.unknown()).nullish().catch(null),
  compliances: list(z.string()),
});

// The comment is a text, an object, or a list of these.
const comments = z.unknown().optional().transform(wordsIn);

function wordsIn(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.slice(0, 100).map(wordsIn).filter(Boolean).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  const { comments: inner, comment, text: words } = value as Record<string, unknown>;
  return wordsIn(inner ?? comment ?? words);
}

export const rawResult = z.object({
  type: z.string().min(1),
  id: text,
  similarityId: text,
  alternateId: text,
  status: text,
  state: text,
  severity: text,
  created: text,
  firstFoundAt: text,
  description: text,
  comments,
  confidenceLevel: text,
  resultViewerLink: text,
  data: data.catch(() => data.parse({})).default(() => data.parse({})),
  vulnerabilityDetails: details.catch(() => details.parse({})).default(() => details.parse({})),
});

export type RawResult = z.output<typeof rawResult>;
