import { requireCatalogEntry, toolOfHook } from '../catalog/catalog.ts';
import type { ToolReference } from './detection.ts';
import type { YamlReader } from './yaml.ts';

const ecosystems: Readonly<Record<string, string>> = {
  bun: 'bun',
  bundler: 'bundler',
  cargo: 'cargo',
  composer: 'composer',
  conda: 'conda',
  devcontainers: 'codespaces',
  docker: 'docker',
  'docker-compose': 'docker-compose',
  'dotnet-sdk': 'dotnet',
  'github-actions': 'github-actions',
  gomod: 'go',
  gradle: 'gradle',
  helm: 'helm',
  maven: 'maven',
  mix: 'elixir',
  npm: 'npm',
  nuget: 'nuget',
  opentofu: 'opentofu',
  pip: 'pip',
  pub: 'dart',
  'rust-toolchain': 'rust',
  swift: 'swift',
  terraform: 'terraform',
  uv: 'uv',
  vcpkg: 'vcpkg',
};

/** Names in version 1 of the Dependabot configuration. */
const formerEcosystems: Readonly<Record<string, string>> = {
  docker: 'docker',
  'dotnet:nuget': 'nuget',
  'elixir:hex': 'elixir',
  'go:modules': 'go',
  'java:gradle': 'gradle',
  'java:maven': 'maven',
  javascript: 'npm',
  'php:composer': 'composer',
  python: 'pip',
  'ruby:bundler': 'bundler',
  'rust:cargo': 'cargo',
  terraform: 'terraform',
};

/** Returns the package managers that Dependabot updates. */
export const dependabotMentions = (yaml: YamlReader): ToolReference[] => [
  ...ecosystemMentions(yaml, 'updates', 'package-ecosystem', ecosystems),
  ...ecosystemMentions(yaml, 'update_configs', 'package_manager', formerEcosystems),
];

const ecosystemMentions = (yaml: YamlReader, list: string, key: string, names: typeof ecosystems): ToolReference[] =>
  yaml.roots.flatMap((root) =>
    yaml.items(yaml.get(root, list)).flatMap((update) => {
      const node = yaml.get(update, key);
      const name = yaml.text(node) ?? '';
      const id = Object.hasOwn(names, name) ? names[name] : undefined;
      if (id === undefined) return [];
      return [{ tool: requireCatalogEntry(id), line: yaml.lineOf(node), text: `${key}: ${name}`, version: null }];
    }),
  );

/** Returns the tools that pre-commit runs, by the repositories of their hooks. */
export const preCommitMentions = (yaml: YamlReader): ToolReference[] =>
  yaml.roots.flatMap((root) =>
    yaml.items(yaml.get(root, 'repos')).flatMap((one) => {
      const node = yaml.get(one, 'repo');
      const address = yaml.text(node) ?? '';
      const name = /^https?:\/\/[^/]+\/([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(address)?.[1] ?? '';
      const tool = toolOfHook(name);
      const version = yaml.text(yaml.get(one, 'rev'))?.slice(0, 80) ?? null;
      return tool ? [{ tool, line: yaml.lineOf(node), text: `repo: ${name}`, version }] : [];
    }),
  );
