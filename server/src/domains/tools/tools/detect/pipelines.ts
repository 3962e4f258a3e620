import { requireCatalogEntry, toolOfOrb, toolOfTask } from '../catalog/catalog.ts';
import { scriptMentions } from './commands.ts';
import type { ToolReference } from './detection.ts';
import { imageMention } from './image.ts';
import type { YamlReader } from './yaml.ts';

/** Returns the references of a GitLab pipeline: included templates, images, services and script commands. */
export const gitlabMentions = (yaml: YamlReader): ToolReference[] =>
  yaml.roots.flatMap((root) => [
    ...includeMentions(yaml, yaml.get(root, 'include')),
    ...[root, yaml.get(root, 'default'), ...yaml.pairs(root).map(({ value }) => value)].flatMap((job) => [
      ...imageAt(yaml, yaml.get(job, 'image')),
      ...yaml.items(yaml.get(job, 'services')).flatMap((service) => imageAt(yaml, service)),
      ...['before_script', 'script', 'after_script'].flatMap((key) => scriptsAt(yaml, yaml.get(job, key))),
    ]),
  ]);

const templates: readonly (readonly [RegExp, string])[] = [
  [/secret-detection/i, 'gitleaks'],
  [/container-scanning/i, 'trivy'],
  [/sast-iac|iac-scanning/i, 'kics'],
  [/\bsast\b/i, 'gitlab-sast'],
  [/dependency-scanning/i, 'gitlab-dependency-scanning'],
  [/code-quality/i, 'code-climate'],
  [/terraform/i, 'terraform'],
];

/** Maps GitLab's own templates to the scanner that they run, if there is one. */
function includeMentions(yaml: YamlReader, node: unknown): ToolReference[] {
  const includes = yaml.items(node);
  return (includes.length > 0 ? includes : [node]).flatMap((one) => {
    const written = yaml.text(yaml.get(one, 'template')) ?? yaml.text(yaml.get(one, 'component'));
    if (written === undefined) return [];
    const found = templates.find(([pattern]) => pattern.test(written));
    const [, id = 'gitlab-ci'] = found ?? [];
    return [
      {
        tool: requireCatalogEntry(id),
        line: yaml.lineOf(one),
        text: `template: ${written}`.slice(0, 200),
        version: null,
      },
    ];
  });
}

/** Returns the references of a Bitbucket pipeline: images, pipes, services and commands. */
export const bitbucketMentions = (yaml: YamlReader): ToolReference[] =>
  mentionsByKey(yaml, {
    image: (node) => imageAt(yaml, node, 'name'),
    // The version of a pipe is not the version of the tool it runs.
    pipe: (node) =>
      imageNamed(yaml, node).map((pipe) => (pipe.tool.kind === 'ci-runner' ? pipe : { ...pipe, version: null })),
    script: (node) => scriptsAt(yaml, node),
    'after-script': (node) => scriptsAt(yaml, node),
  });

/** Returns the references of a CircleCI configuration: orbs, images and commands of steps. */
export const circleMentions = (yaml: YamlReader): ToolReference[] => [
  ...yaml.roots.flatMap((root) =>
    yaml.pairs(yaml.get(root, 'orbs')).flatMap(({ value }) => {
      const [name = ''] = (yaml.text(value) ?? '').split('@', 1);
      const tool = toolOfOrb(name);
      return tool ? [{ tool, line: yaml.lineOf(value), text: name, version: null }] : [];
    }),
  ),
  ...mentionsByKey(yaml, {
    image: (node) => imageAt(yaml, node),
    run: (node) => scriptsAt(yaml, yaml.text(node) === undefined ? yaml.get(node, 'command') : node),
  }),
];

/** Returns the references of an Azure pipeline: tasks, containers and scripts. */
export const azureMentions = (yaml: YamlReader): ToolReference[] =>
  mentionsByKey(yaml, {
    task: (node) => {
      const [name = ''] = (yaml.text(node) ?? '').split('@', 1);
      const tool = toolOfTask(name);
      return tool ? [{ tool, line: yaml.lineOf(node), text: `task: ${yaml.text(node)}`, version: null }] : [];
    },
    container: (node) => imageAt(yaml, node),
    image: (node) => imageAt(yaml, node),
    ...Object.fromEntries(
      ['script', 'bash', 'pwsh', 'powershell'].map((key) => [key, (node: unknown) => scriptsAt(yaml, node)]),
    ),
  });

/** Returns the references of other hosted pipelines: images and commands under common keys. */
export const otherPipelineMentions = (yaml: YamlReader): ToolReference[] =>
  mentionsByKey(yaml, {
    image: (node) => imageAt(yaml, node),
    // The name of a Google Cloud Build step is its image.
    name: (node) => ((yaml.text(node) ?? '').includes('/') ? imageNamed(yaml, node, true) : []),
    ...Object.fromEntries(
      [
        ...['install', 'before_install', 'before_script', 'script', 'after_success', 'after_script', 'before_deploy'],
        ...['build_script', 'test_script', 'before_build', 'on_success', 'commands', 'command', 'run'],
      ].map((key) => [key, (node: unknown) => scriptsAt(yaml, node)]),
    ),
  });

/** Returns the images of the services in a compose file. */
export const composeMentions = (yaml: YamlReader): ToolReference[] =>
  yaml.roots.flatMap((root) =>
    yaml.pairs(yaml.get(root, 'services')).flatMap(({ value }) => imageAt(yaml, yaml.get(value, 'image'))),
  );

type Handlers = Record<string, (node: unknown) => ToolReference[]>;

/** Applies handlers to their keys at any depth. */
function mentionsByKey(yaml: YamlReader, handlers: Handlers): ToolReference[] {
  const walk = (node: unknown, depth: number): ToolReference[] => {
    if (depth > 40) return [];
    return [
      ...yaml
        .pairs(node)
        .flatMap(({ key, value }) => [
          ...(Object.hasOwn(handlers, key) ? (handlers[key]?.(value) ?? []) : []),
          ...walk(value, depth + 1),
        ]),
      ...yaml.items(node).flatMap((item) => walk(item, depth + 1)),
    ];
  };
  return yaml.roots.flatMap((root) => walk(root, 0));
}

function imageAt(yaml: YamlReader, node: unknown, key = 'name'): ToolReference[] {
  const image = yaml.text(node) === undefined ? (yaml.get(node, key) ?? yaml.get(node, 'image')) : node;
  return imageNamed(yaml, image);
}

function imageNamed(yaml: YamlReader, node: unknown, onlyWithHost = false): ToolReference[] {
  const written = yaml.text(node);
  if (written === undefined || (onlyWithHost && !/^[\w.-]+\.[\w.-]+\//.test(written))) return [];
  const mention = imageMention(written, yaml.lineOf(node));
  return mention ? [mention] : [];
}

/** Returns the references of a script, or of a nested list of scripts. */
function scriptsAt(yaml: YamlReader, node: unknown, depth = 0): ToolReference[] {
  const script = yaml.script(node);
  if (script) return scriptMentions(script);
  return depth > 5 ? [] : yaml.items(node).flatMap((item) => scriptsAt(yaml, item, depth + 1));
}
