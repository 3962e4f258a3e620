import { IconShieldSearch } from '@tabler/icons-react';
// Imported individually, because the main module of the package contains all icons.
import checkmarx from 'simple-icons/icons/checkmarx.svg?raw';
import dependabot from 'simple-icons/icons/dependabot.svg?raw';
import eslint from 'simple-icons/icons/eslint.svg?raw';
import github from 'simple-icons/icons/github.svg?raw';
import snyk from 'simple-icons/icons/snyk.svg?raw';
import sonar from 'simple-icons/icons/sonarqubecloud.svg?raw';
import trivy from 'simple-icons/icons/trivy.svg?raw';
import { SimpleIcon } from '#ui/SimpleIcon.tsx';

/** The icon of a scanner, or a neutral one for unknown programs. Decorative, because the name is beside it. */
export function ToolMark({ tool, size = 14 }: { tool: string; size?: number }) {
  const key = tool.toLowerCase();
  const path = marks.find(([part]) => key.includes(part))?.[1];
  return path === undefined ? (
    <IconShieldSearch size={size + 1} stroke={1.75} aria-hidden />
  ) : (
    <SimpleIcon path={path} size={size} />
  );
}

const pathOf = (svg: string) => / d="([^"]+)"/.exec(svg)?.[1] ?? '';

/** A part of the scanner key, and the icon. */
const marks: readonly (readonly [string, string])[] = [
  ['checkmarx', pathOf(checkmarx)],
  ['kics', pathOf(checkmarx)],
  ['codeql', pathOf(github)],
  ['secret scanning', pathOf(github)],
  ['secret_scanning', pathOf(github)],
  ['dependabot', pathOf(dependabot)],
  ['trivy', pathOf(trivy)],
  ['snyk', pathOf(snyk)],
  ['sonar', pathOf(sonar)],
  ['eslint', pathOf(eslint)],
];
