import type { ToolKind } from '@sightline/contract/tools/tools.ts';

/** The closed list of categories. */
export const toolCategories = [
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
export type ToolCategory = (typeof toolCategories)[number];

/** The description of a tool in the inventory. */
export interface ToolEntry {
  id: string;
  name: string;
  vendor: string | null;
  kind: ToolKind;
  categories: readonly ToolCategory[];
  /** Name of an icon in simple-icons; null without one. */
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
  /** Commands in a shell. */
  commands?: readonly string[] | undefined;
  /** Package names that differ from its commands: `@sentry/cli`. */
  packages?: readonly string[] | undefined;
  /**
   * Files whose presence indicates the tool: a file name, a path from the root, or a top-level folder ending with `/`.
   */
  files?: readonly string[] | undefined;
  /** Orbs of CircleCI, tasks of Azure Pipelines (without version), hooks of pre-commit by repository. */
  orbs?: readonly string[] | undefined;
  tasks?: readonly string[] | undefined;
  hooks?: readonly string[] | undefined;
  /** Editor extensions: `publisher.name`, lower-case. */
  extensions?: readonly string[] | undefined;
  /** Web hosts, including subdomains: `claude.ai`. */
  hosts?: readonly string[] | undefined;
}
