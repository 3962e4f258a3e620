type SectionFields = Readonly<Record<string, unknown>>;

/**
 * The results in a report section. The nesting of packages, images, categories and queries differs between engines and
 * versions. A result is an object with a severity and a name; fields of enclosing objects, such as the package, apply
 * to all results within.
 */
export const packageResults = (section: unknown, type: 'sca' | 'containers'): SectionFields[] =>
  [...resultsWithin(section)].map((found) => {
    const cve = found.cve ?? found.cveName ?? found.cveId ?? found.vulnerabilityName;
    const id = cve ?? found.resultId ?? found.riskId ?? found.id ?? found.similarityId ?? found.queryName;
    return {
      ...shared(found),
      type,
      id,
      similarityId: found.similarityId ?? id,
      description: found.description ?? found.riskDescription ?? found.summary,
      data: {
        packageIdentifier: found.packageName === undefined ? (found.packageIdentifier ?? found.packageId) : undefined,
        packageName: found.packageName ?? found.package,
        packageVersion: found.packageVersion ?? found.version,
        recommendedVersion: found.recommendedVersion ?? found.fixResolutionText ?? found.fixedVersion,
        scaPackageData: { locations: [found.manifestFile ?? found.location ?? found.fileName].flat().filter(Boolean) },
        imageName: found.imageName ?? found.image,
        imageTag: found.imageTag ?? found.tag,
        imageFilePath: found.imageFilePath ?? found.filePath ?? found.fileName,
        packageData: found.references ?? found.packageData,
      },
      vulnerabilityDetails: {
        cveName: cve,
        cweId: found.cweId ?? found.cwe ?? found.categoryName,
        cvssScore: found.cvssScore ?? found.score,
        cvss: found.cvss,
      },
    };
  });

/** The results of API security in a report section. */
export const apiResults = (section: unknown): SectionFields[] =>
  [...resultsWithin(section)].map((found) => {
    const id = found.riskId ?? found.risk_id ?? found.resultId ?? found.id ?? found.similarityId;
    return {
      ...shared(found),
      type: 'apisec',
      id,
      similarityId: found.similarityId ?? id,
      description: found.description,
      data: {
        queryName: found.queryName ?? found.riskName ?? found.vulnerabilityName ?? found.name,
        httpMethod: found.httpMethod ?? found.http_method ?? found.method,
        url: found.url ?? found.endpoint ?? found.path,
        sourceFileName: found.sourceFileName ?? found.sourceFile ?? found.fileName,
        sourceLine: found.sourceLine ?? found.line,
        languageName: found.languageName ?? found.language,
      },
      vulnerabilityDetails: { cweId: found.cweId ?? found.cwe, cvssScore: found.cvssScore },
    };
  });

const shared = (found: SectionFields): SectionFields => ({
  status: found.status,
  state: found.state,
  severity: found.severity,
  firstFoundAt: found.firstFoundDate ?? found.firstDetectionDate ?? found.firstFoundAt ?? found.discoveryDate,
  comments: found.comments ?? found.notes,
  confidenceLevel: found.confidenceLevel ?? found.confidence,
  resultViewerLink: found.resultViewerLink,
});

const names = [
  ...['cve', 'cveName', 'cveId', 'id', 'resultId', 'riskId', 'risk_id', 'similarityId', 'vulnerabilityName'],
  ...['resultViewerLink', 'riskName', 'queryName', 'name', 'url'],
];
const MAX_DEPTH = 12;

function* resultsWithin(value: unknown, enclosing: SectionFields = {}, depth = 0): Generator<SectionFields> {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const one of value) yield* resultsWithin(one, enclosing, depth + 1);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const own = value as SectionFields;
  const isResult = typeof own.severity === 'string' && names.some((name) => own[name] != null);
  if (isResult) {
    yield { ...enclosing, ...own };
    return;
  }
  const ownFields = Object.entries(own).filter(([, one]) => typeof one !== 'object' && one != null);
  const inner = { ...enclosing, ...Object.fromEntries(ownFields) };
  for (const one of Object.values(own)) yield* resultsWithin(one, inner, depth + 1);
}
