import type { ToolKind } from '@sightline/contract/tools/tools.ts';

/** What tools are for: the only categories there are. */
export const categories = [
  'AI assistant',
  'Artifacts',
  'Browser',
  'Build',
  'CI/CD platform',
  'Cloud',
  'Code quality',
  'Code review',
  'Communication',
  'Container security',
  'Containers',
  'Coverage',
  'Database',
  'Dependency updates',
  'Deployment',
  'Documentation',
  'Editor',
  'Infrastructure as code',
  'Infrastructure security',
  'Language runtime',
  'Monitoring',
  'Package management',
  'Project management',
  'Release',
  'Secret detection',
  'Software composition analysis',
  'Source control',
  'Static analysis',
  'Supply chain security',
  'Testing',
  'Workflow automation',
] as const;
export type Category = (typeof categories)[number];

/** What the inventory says of a tool. */
export interface ToolEntry {
  id: string;
  name: string;
  vendor: string | null;
  kind: ToolKind;
  categories: readonly Category[];
  /** Name of an icon in simple-icons; null where it has none. */
  icon: string | null;
  /** One sentence; empty for a tool that is not in the catalog. */
  description: string;
  website: string | null;
}

/** A tool of the catalog with its detection rules. */
export interface CatalogEntry extends ToolEntry {
  vendor: string;
  website: string;
  /** Actions and reusable workflows: `owner/name`. */
  actions?: readonly string[] | undefined;
  /** Container images without registry and tag: `aquasec/trivy`. */
  images?: readonly string[] | undefined;
  /** Words at the place of a command in a shell. */
  commands?: readonly string[] | undefined;
  /** Names under which installers know it where they differ from its commands: `@sentry/cli`. */
  packages?: readonly string[] | undefined;
  /** Files whose presence names it: a name anywhere, a path from the top, or a folder at the top that ends with `/`. */
  files?: readonly string[] | undefined;
  /** Orbs of CircleCI, tasks of Azure Pipelines (without version), hooks of pre-commit by repository. */
  orbs?: readonly string[] | undefined;
  tasks?: readonly string[] | undefined;
  hooks?: readonly string[] | undefined;
  /** Editor extensions: `publisher.name`, lower-case. */
  extensions?: readonly string[] | undefined;
  /** Web hosts, and those below them: `claude.ai`. */
  hosts?: readonly string[] | undefined;
}
