import { z } from 'zod';

/**
 * One result as the API sends it. Sources spell things differently, leave fields out and write them empty, so each field
 * is read on its own: a wrong one is a missing one.
 */

const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null)
  .transform((value) => value?.trim() || null);

// A number, or text that is one.
const whole = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .nullish()
  .catch(null)
  .transform((value) => (value != null && Number.isSafeInteger(value) && value > 0 ? value : null));

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

const node = z.object({ fileName: text, line: whole, name: text, fullName: text });

const scaPackage = z
  .object({ locations: list(z.string()), fixLink: text })
  .nullish()
  .catch(null);

const data = z.object({
  queryId: text,
  queryName: text,
  languageName: text,
  group: text,
  nodes: list(node),
  // kics and secrets
  fileName: text,
  filename: text,
  line: whole,
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
  cvssScore: z.number().nullish().catch(null),
  compliances: list(z.string()),
});

// The comment is text, or stands in an object of its own.
const comments = z
  .unknown()
  .optional()
  .transform((value) => {
    const found = typeof value === 'object' && value !== null && 'comments' in value ? value.comments : value;
    return typeof found === 'string' ? found.trim() : '';
  });

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
  data: data.catch(() => data.parse({})).default(() => data.parse({})),
  vulnerabilityDetails: details.catch(() => details.parse({})).default(() => details.parse({})),
});

export type RawResult = z.output<typeof rawResult>;
