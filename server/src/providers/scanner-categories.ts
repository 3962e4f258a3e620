import type { FindingCategory } from '@sightline/contract/core/finding-categories.ts';

/** The category of a scanner by its name. Others are static code analysis. */
const byName: readonly (readonly [RegExp, FindingCategory])[] = [
  [/scorecard/, 'scorecard'],
  [
    /gitleaks|trufflehog|detect-?secrets|ggshield|gitguardian|talisman|whispers|noseyparker|nosey parker|secret/,
    'secret',
  ],
  [
    /checkov|kics|tfsec|terrascan|kube-?linter|kubesec|kubescape|cfn-?lint|cfn[-_]nag|hadolint|conftest|snyk iac|polaris|datree|zizmor|actionlint|template-?analyzer/,
    'iac',
  ],
  [/grype|dockle|clair|anchore|docker scout|snyk container|twistlock|prisma cloud|neuvector|syft/, 'container'],
  [
    /dependency-?check|osv|snyk open source|govulncheck|npm[- ]audit|pip-?audit|cargo[- ](?:audit|deny)|bundler-?audit|retire|black ?duck|whitesource|mend|dependabot|safety|nancy|jfrog|xray|owasp dep/,
    'sca',
  ],
];

const lockFile =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|pipfile\.lock|uv\.lock|requirements[^/]*\.txt|gemfile\.lock|composer\.lock|cargo\.lock|go\.(mod|sum)|pom\.xml|build\.gradle(\.kts)?|gradle\.lockfile|packages\.lock\.json|mix\.lock|pubspec\.lock|conan\.lock|podfile\.lock|[^/]+\.(jar|war|ear))$/i;

export interface CategoryHints {
  /** The name of the scanner in lower case. */
  tool: string;
  ruleName: string;
  tags: readonly string[];
  path: string | null;
  /** Whether the run scanned a container image. */
  image: boolean;
  /** Whether the result concerns a version of a package. */
  hasPackage: boolean;
}

export function categoryOf(hints: CategoryHints): FindingCategory {
  if (/trivy/.test(hints.tool)) return categoryOfTrivy(hints);
  if (/snyk iac/.test(hints.tool)) return 'iac';
  const named = byName.find(([pattern]) => pattern.test(hints.tool))?.[1];
  return named ?? (hints.hasPackage ? 'sca' : 'sast');
}

// Trivy covers several categories and names the category in the rule.
function categoryOfTrivy({ ruleName, tags, path, image }: CategoryHints): FindingCategory {
  const words = `${ruleName} ${tags.join(' ')}`.toLowerCase();
  if (/\bsecret\b/.test(words)) return 'secret';
  if (/misconfiguration/.test(words)) return 'iac';
  if (image || /ospackage/.test(words)) return 'container';
  if (/languagespecificpackage|license/.test(words)) return 'sca';
  return path !== null && lockFile.test(path) ? 'sca' : 'container';
}
