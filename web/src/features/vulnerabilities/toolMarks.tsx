import { IconShieldSearch } from '@tabler/icons-react';
import { BrandIcon } from '#ui/BrandIcon.tsx';

/** A scanner's mark, or a neutral one: any program that writes SARIF is a scanner. Decoration: the name stands beside it. */
export function ToolMark({ tool, size = 14 }: { tool: string; size?: number }) {
  const key = tool.toLowerCase();
  const brand = marks.find(([part]) => key.includes(part))?.[1];
  return brand === undefined ? (
    <IconShieldSearch size={size + 1} stroke={1.75} aria-hidden />
  ) : (
    <BrandIcon name={brand} size={size} />
  );
}

/** Part of a scanner's key, and the brand it goes by. */
const marks: readonly (readonly [string, string])[] = [
  ['checkmarx', 'checkmarx'],
  ['kics', 'checkmarx'],
  ['codeql', 'github'],
  ['secret scanning', 'github'],
  ['secret_scanning', 'github'],
  ['dependabot', 'dependabot'],
  ['trivy', 'trivy'],
  ['snyk', 'snyk'],
  ['sonar', 'sonarqube'],
  ['eslint', 'eslint'],
];
