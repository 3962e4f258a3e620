import { z } from 'zod';
import { apiResults, packageResults } from './report-sections.ts';

/**
 * Checkmarx One also exports results as reports: with a section for each engine, such as `scanResults`, or with the
 * list `vulnerabilities` for GitLab. This module converts them to the format of the API.
 */

const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null);
const list = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .nullish()
    .catch(null)
    .transform((items) => items ?? []);

const instance = z.looseObject({
  similarityId: text,
  resultId: text,
  status: text,
  state: text,
  severity: text,
  firstFoundDate: text,
});

const codeReport = z.object({
  resultsList: list(
    z.object({
      queryName: text,
      queryId: text,
      description: text,
      queryPath: text,
      cweId: text,
      categories: list(z.object({ name: z.string(), subCategories: list(z.string()) })),
      vulnerabilities: list(
        instance.extend({
          sourceFileName: text,
          sourceLine: z.unknown().optional(),
          nodes: list(z.looseObject({ fileName: text, method: text, line: z.unknown().optional() })),
        }),
      ),
    }),
  ),
});

const settingReport = z.object({
  technology: list(
    z.object({
      name: text,
      queries: list(
        z.object({
          queryName: text,
          queryId: text,
          description: text,
          resultsList: list(
            instance.extend({
              fileName: text,
              line: z.unknown().optional(),
              actualValue: text,
              expectedValue: text,
              severity: text,
            }),
          ),
        }),
      ),
    }),
  ),
});

const gitlabReport = list(
  z.object({
    id: text,
    category: text,
    name: text,
    message: text,
    description: text,
    severity: text,
    location: z
      .object({
        file: text,
        start_line: z.unknown().optional(),
        dependency: z.object({ package: z.object({ name: text }).nullish(), version: text }).nullish(),
      })
      .nullish()
      .catch(null),
    identifiers: list(z.object({ type: text, name: text, value: text })),
  }),
);

const report = z.object({
  scanResults: codeReport.nullish().catch(null),
  iacScanResults: settingReport.nullish().catch(null),
  scaScanResults: z.unknown().optional(),
  containerScanResults: z.unknown().optional(),
  containersScanResults: z.unknown().optional(),
  apiSecScanResults: z.unknown().optional(),
  vulnerabilities: gitlabReport,
});

const sections = Object.keys(report.shape);

/** The results in a report, in the format of the API; undefined if the value is not a report. */
export function resultsInReport(json: unknown): Record<string, unknown>[] | undefined {
  if (typeof json !== 'object' || json === null || 'results' in json) return undefined;
  if (!sections.some((name) => name in json)) return undefined;
  const parsed = report.safeParse(json);
  if (!parsed.success) return undefined;
  const { scanResults, iacScanResults, vulnerabilities, ...others } = parsed.data;
  return [
    ...(scanResults ? codeResults(scanResults) : []),
    ...(iacScanResults ? settingResults(iacScanResults) : []),
    ...packageResults(others.scaScanResults, 'sca'),
    ...packageResults(others.containerScanResults ?? others.containersScanResults, 'containers'),
    ...apiResults(others.apiSecScanResults),
    ...vulnerabilities.map(gitlabResult),
  ];
}

const codeResults = ({ resultsList }: z.output<typeof codeReport>) =>
  resultsList.flatMap(({ queryName, queryId, queryPath, description, cweId, categories, vulnerabilities }) =>
    vulnerabilities.map(({ sourceFileName, sourceLine, nodes, firstFoundDate, ...found }) => ({
      ...found,
      type: 'sast',
      id: found.resultId ?? found.similarityId,
      firstFoundAt: firstFoundDate,
      description,
      data: {
        queryName,
        queryId,
        languageName: found.languageName ?? queryPath?.split('/')[0],
        sourceFileName,
        sourceLine,
        nodes:
          nodes.length > 0
            ? nodes.map(({ fileName, method, line }) => ({ fileName, line, name: method }))
            : [{ fileName: sourceFileName, line: sourceLine }],
      },
      vulnerabilityDetails: { cweId, compliances: categories.map(({ name }) => name) },
    })),
  );

const settingResults = ({ technology }: z.output<typeof settingReport>) =>
  technology.flatMap(({ name: platform, queries }) =>
    queries.flatMap(({ queryName, queryId, description, resultsList }) =>
      resultsList.map(({ fileName, line, actualValue, expectedValue, firstFoundDate, ...found }) => ({
        ...found,
        type: 'kics',
        id: found.similarityId,
        firstFoundAt: firstFoundDate,
        description,
        data: { queryName, queryId, platform, fileName, line, value: actualValue, expectedValue },
      })),
    ),
  );

const gitlabTypes: Partial<Record<string, string>> = {
  dependency_scanning: 'sca',
  container_scanning: 'sca-container',
  secret_detection: 'sscs-secret-detection',
};

function gitlabResult({
  id,
  category,
  name,
  message,
  description,
  severity,
  location,
  identifiers,
}: z.output<typeof gitlabReport>[number]) {
  const named = (type: string) => identifiers.find((one) => one.type?.toLowerCase() === type);
  const type = gitlabTypes[category ?? ''] ?? 'sast';
  const title = name ?? message;
  return {
    type,
    id,
    similarityId: id,
    severity,
    state: 'TO_VERIFY',
    description: description ?? message,
    data: {
      queryName: title,
      ruleName: title,
      nodes: [{ fileName: location?.file, line: location?.start_line }],
      fileName: location?.file,
      line: location?.start_line,
      packageName: location?.dependency?.package?.name,
      packageVersion: location?.dependency?.version,
      scaPackageData: { locations: location?.file ? [location.file] : [] },
    },
    vulnerabilityDetails: { cweId: named('cwe')?.value, cveName: named('cve')?.value ?? named('cve')?.name },
  };
}
