import type { Advisory } from './advisories.ts';
import { ReleaseError } from './error.ts';
import { allComponents, npmPackageNameOf, type Sbom, uuidFromText } from './sbom.ts';

/** The assessment of one vulnerability of a used package, from assessments.json. */
export interface Assessment {
  /** Such as GHSA-… or CVE-… */
  id: string;
  url: string;
  packageName: string;
  /** States and justifications of CycloneDX. */
  state: 'resolved' | 'exploitable' | 'in_triage' | 'false_positive' | 'not_affected';
  justification?:
    | 'code_not_present'
    | 'code_not_reachable'
    | 'requires_configuration'
    | 'requires_dependency'
    | 'requires_environment'
    | 'protected_by_compiler'
    | 'protected_at_runtime'
    | 'protected_at_perimeter'
    | 'protected_by_mitigating_control';
  detail: string;
  /** YYYY-MM-DD. */
  assessedOn: string;
}

interface VexRequest {
  sboms: Sbom[];
  assessments: Assessment[];
  /** Undefined if the registry was not queried. */
  advisories: Advisory[] | undefined;
  createdAt: Date;
}

/**
 * Creates the CycloneDX VEX of a release: one vulnerability for each assessment, with links to the components of the
 * SBOMs. Fails for an advisory without an assessment, an assessment of a package in no SBOM, and a missing
 * justification.
 */
export function createVex({ sboms, assessments, advisories, createdAt }: VexRequest): object {
  const unassessed = (advisories ?? []).filter(
    ({ id, packageName }) => !assessments.some((one) => one.id === id && one.packageName === packageName),
  );
  if (unassessed.length > 0) {
    const lines = unassessed.map(({ packageName, id, title }) => `${packageName}: ${id}, ${title}`);
    throw new ReleaseError(
      `Update these packages, or assess them in scripts/release/assessments.json:\n    ${lines.join('\n    ')}`,
    );
  }
  const vulnerabilities = assessments.map((assessment) => {
    const { id, url, packageName, state, justification, detail, assessedOn } = assessment;
    if (state === 'not_affected' && justification === undefined) {
      throw new ReleaseError(
        `${id} of ${packageName} is not_affected, so scripts/release/assessments.json must name a justification.`,
      );
    }
    const affects = linksTo(sboms, packageName);
    if (affects.length === 0) {
      throw new ReleaseError(
        `No package is ${packageName} any more: remove ${id} from scripts/release/assessments.json.`,
      );
    }
    return {
      id,
      source: { name: id.startsWith('GHSA-') ? 'GitHub Advisory Database' : 'NVD', url },
      analysis: { state, justification, detail, firstIssued: `${assessedOn}T00:00:00Z` },
      affects,
    };
  });
  const content = {
    metadata: {
      timestamp: createdAt.toISOString(),
      component: sboms[0]?.metadata.component,
      properties: [
        { name: 'sightline:registry-advisories', value: advisories === undefined ? 'not requested' : 'all assessed' },
      ],
    },
    vulnerabilities,
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    serialNumber: `urn:uuid:${uuidFromText(JSON.stringify(content))}`,
    ...content,
  };
}

/** Returns BOM-Links (urn:cdx) to every version of a package. */
function linksTo(sboms: Sbom[], packageName: string): { ref: string }[] {
  return sboms.flatMap((sbom) =>
    allComponents(sbom)
      .filter((component) => npmPackageNameOf(component) === packageName)
      .map((component) => ({
        ref: `urn:cdx:${sbom.serialNumber.replace('urn:uuid:', '')}/${sbom.version}#${encodeURIComponent(component['bom-ref'])}`,
      })),
  );
}
