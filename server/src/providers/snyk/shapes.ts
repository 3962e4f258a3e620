import { z } from 'zod';

/** Responses of the Snyk REST API (JSON:API), https://docs.snyk.io/snyk-api/reference. */

const text = z.string().nullish().catch(null);
const line = z.number().int().min(1).nullish().catch(null);
const links = z
  .object({ next: z.union([z.string(), z.object({ href: z.string() }).transform(({ href }) => href)]).nullish() })
  .nullish()
  .catch(null);

export const projectPage = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      attributes: z.object({
        name: text,
        type: text,
        target_file: text,
        target_reference: text,
        status: text,
      }),
      relationships: z
        .object({
          target: z.object({
            data: z.object({ attributes: z.object({ display_name: text, url: text }).nullish().catch(null) }),
          }),
        })
        .nullish()
        .catch(null),
    }),
  ),
  links,
});
export type SnykProject = z.output<typeof projectPage>['data'][number];

const position = z.object({ line, column: line }).nullish().catch(null);

const issueShape = z.object({
  id: z.string().min(1),
  attributes: z.object({
    key: z.string().min(1),
    type: z.string(),
    title: text,
    description: text,
    status: text,
    ignored: z.boolean().catch(false),
    effective_severity_level: text,
    created_at: text,
    updated_at: text,
    classes: z
      .array(z.object({ id: z.string(), source: text }))
      .nullish()
      .catch(null),
    problems: z
      .array(z.object({ id: z.string(), source: text }))
      .nullish()
      .catch(null),
    severities: z
      .array(z.object({ source: text, score: z.number().min(0).max(10).nullish().catch(null), vector: text }))
      .nullish()
      .catch(null),
    coordinates: z
      .array(
        z.object({
          representations: z
            .array(
              z.object({
                dependency: z.object({ package_name: z.string(), package_version: text }).nullish().catch(null),
                sourceLocation: z
                  .object({
                    file: z.string(),
                    region: z.object({ start: position, end: position }).nullish().catch(null),
                  })
                  .nullish()
                  .catch(null),
              }),
            )
            .nullish()
            .catch(null),
        }),
      )
      .nullish()
      .catch(null),
  }),
});
export type SnykIssue = z.output<typeof issueShape>;

export const issuePage = z.object({ data: z.array(issueShape), links });
