import { z } from 'zod';

/**
 * Responses of the Semgrep Web API, https://semgrep.dev/api/v1/docs. Findings of Code and of Supply Chain have the same
 * form; only the latter have a dependency.
 */

const text = z.string().nullish().catch(null);
const position = z.number().int().min(1).nullish().catch(null);

export const deploymentList = z.object({ deployments: z.array(z.object({ slug: z.string(), name: text })) });

export const projectPage = z.object({
  projects: z.array(
    z.object({
      id: z.union([z.number(), z.string()]).transform(String),
      name: z.string().min(1),
      url: text,
      latest_scan_at: text,
      primary_branch: text,
      default_branch: text,
    }),
  ),
});
export type SemgrepProject = z.output<typeof projectPage>['projects'][number];

const findingShape = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  match_based_id: text,
  ref: text,
  line_of_code_url: text,
  status: text,
  state: text,
  triage_reason: text,
  triage_comment: text,
  severity: text,
  confidence: text,
  created_at: text,
  rule_name: text,
  rule_message: text,
  location: z
    .object({ file_path: text, line: position, column: position, end_line: position, end_column: position })
    .nullish()
    .catch(null),
  rule: z
    .object({
      name: text,
      message: text,
      vulnerability_classes: z.array(z.string()).nullish().catch(null),
      cwe_names: z.array(z.string()).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  vulnerability_identifier: text,
  found_dependency: z
    .object({ package: z.string().min(1), version: text })
    .nullish()
    .catch(null),
  fix_recommendations: z
    .array(z.object({ package: text, version: text }))
    .nullish()
    .catch(null),
});
export type SemgrepFinding = z.output<typeof findingShape>;

export const findingPage = z.object({ findings: z.array(findingShape) });
