import { requireCatalogEntry } from '../catalog/catalog.ts';
import { scriptMentions } from './commands.ts';
import type { ToolReference } from './detection.ts';
import { imageMention } from './image.ts';
import { usesMention } from './uses.ts';
import type { YamlReader } from './yaml.ts';

/**
 * Returns the references of a workflow of GitHub, Gitea or Forgejo: actions, reusable workflows, images and commands.
 */
export const workflowMentions = (yaml: YamlReader): ToolReference[] =>
  yaml.roots.flatMap((root) => {
    const shell = shellOf(yaml, root);
    return yaml
      .pairs(yaml.get(root, 'jobs'))
      .flatMap(({ value: job }) => [
        ...mentionOfUses(yaml, yaml.get(job, 'uses')),
        ...mentionOfImage(yaml, yaml.get(job, 'container')),
        ...yaml.pairs(yaml.get(job, 'services')).flatMap(({ value }) => mentionOfImage(yaml, value)),
        ...stepMentions(yaml, yaml.get(job, 'steps'), shellOf(yaml, job) ?? shell),
      ]);
  });

/** Returns the references of an `action.yml`. */
export const actionMentions = (yaml: YamlReader): ToolReference[] =>
  yaml.roots.flatMap((root) => {
    const runs = yaml.get(root, 'runs');
    const image = yaml.text(yaml.get(runs, 'image'));
    return [
      ...(image?.startsWith('docker://') ? mentionOfImage(yaml, yaml.get(runs, 'image')) : []),
      ...stepMentions(yaml, yaml.get(runs, 'steps'), undefined),
    ];
  });

export const githubActionsEntry = requireCatalogEntry('github-actions');

const shellOf = (yaml: YamlReader, node: unknown) =>
  yaml.text(yaml.get(yaml.get(yaml.get(node, 'defaults'), 'run'), 'shell'));

function stepMentions(yaml: YamlReader, steps: unknown, inherited: string | undefined): ToolReference[] {
  return yaml.items(steps).flatMap((step) => {
    const shell = yaml.text(yaml.get(step, 'shell')) ?? inherited ?? 'bash';
    const script = isShell(shell) ? yaml.script(yaml.get(step, 'run')) : undefined;
    return [...mentionOfUses(yaml, yaml.get(step, 'uses'), step), ...(script ? scriptMentions(script) : [])];
  });
}

/** Only shell scripts are parsed; a step may use any language. */
const isShell = (shell: string) => /^(bash|sh|zsh|pwsh|powershell|cmd)\b/.test(shell) || shell.includes('bash');

function mentionOfUses(yaml: YamlReader, node: unknown, step?: unknown): ToolReference[] {
  const text = yaml.text(node);
  if (text === undefined) return [];
  const line = yaml.lineOf(node);
  const mention = usesMention(text, line, yaml.source(line), yaml.text(yaml.get(yaml.get(step, 'with'), 'version')));
  return mention ? [mention] : [];
}

function mentionOfImage(yaml: YamlReader, node: unknown): ToolReference[] {
  const image = yaml.text(node) === undefined ? yaml.get(node, 'image') : node;
  const text = yaml.text(image);
  const mention = text === undefined ? undefined : imageMention(text, yaml.lineOf(image));
  return mention ? [mention] : [];
}
