import type { ToolSource } from '@sightline/contract/tools/tools.ts';
import { configurationFileOf } from '#core/agent-configuration/files.ts';
import { requireCatalogEntry, toolOfFile } from '../catalog/catalog.ts';
import type { ToolEntry } from '../catalog/entry.ts';
import { configurationMentions } from './agent-configuration.ts';
import { type Detection, distinctReferences, type ToolReference } from './detection.ts';
import { dockerfileMentions } from './docker.ts';
import { actionMentions, githubActionsEntry, workflowMentions } from './github.ts';
import { imageMention } from './image.ts';
import { jenkinsEntry, jenkinsMentions } from './jenkins.ts';
import { manifestMentions } from './manifest.ts';
import * as pipelines from './pipelines.ts';
import { procfileMentions } from './procfile.ts';
import { dependabotMentions, preCommitMentions } from './update-and-hook-config.ts';
import { usesMention } from './uses.ts';
import { readYaml, type YamlReader } from './yaml.ts';

/** Increase it when detection rules change: then every file is read again. */
export const DETECTOR_VERSION = 4;
/** Larger files are detected only by their name and not read. */
export const MAX_FILE_BYTES = 512 * 1024;
const MAX_DETECTIONS = 2_000;

/** Whether a file may reference a tool, by its name or by its content. */
export function detectionInputOf(path: string): 'name' | 'content' | undefined {
  if (isForeign(path)) return undefined;
  const configuration = configurationFileOf(path);
  if (formatOf(path) || configuration?.servers) return 'content';
  if (configuration) return 'name';
  return toolOfFile(path) ? 'name' : undefined;
}

/**
 * Returns the tools that a file references, in line order. Never throws, for any content. `content` is null for a file
 * that is too large, and empty if only its name matters.
 */
export function detectTools(path: string, content: string | null): Detection[] {
  if (isForeign(path)) return [];
  const configured = configurationMentions(path, content);
  if (configured.length > 0) return inLineOrder(configured.map((mention) => ({ ...mention, source: 'repository' })));
  const format = formatOf(path);
  const source = format?.source ?? 'repository';
  const fileMentions = [format?.tool, toolOfFile(path)].flatMap((tool) =>
    tool ? [{ tool, line: null, text: path.slice(-200), version: null }] : [],
  );
  const mentions =
    format && content !== null && content.length <= MAX_FILE_BYTES && !content.includes('\0')
      ? format.read(content)
      : [];
  return inLineOrder(distinctReferences([...fileMentions, ...mentions]).map((mention) => ({ ...mention, source })));
}

const inLineOrder = (found: Detection[]): Detection[] =>
  found.sort((one, other) => (one.line ?? 0) - (other.line ?? 0)).slice(0, MAX_DETECTIONS);

// Third-party code and test data.
const foreign = /(^|\/)(node_modules|vendor|third_party|testdata|fixtures|__fixtures__|bower_components|\.git)\//;
const isForeign = (path: string) => foreign.test(path);

interface Format {
  source: ToolSource;
  /** The tool that the entire file configures. */
  tool?: ToolEntry;
  read: (content: string) => ToolReference[];
}

const formats: readonly (readonly [RegExp, Format])[] = [
  [/^\.github\/workflows\/[^/]+\.ya?ml$/, yamlFormat('github-actions', githubActionsEntry, workflowMentions)],
  [/^\.(gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/, yamlFormat('repository', undefined, workflowMentions)],
  [/(^|\/)action\.ya?ml$/, yamlFormat('github-actions', undefined, actionMentions)],
  [
    /(^|\/)[^/]*\.gitlab-ci\.ya?ml$|^\.gitlab\/(ci|workflows)\/.+\.ya?ml$/,
    yamlFormat('gitlab-ci', requireCatalogEntry('gitlab-ci'), pipelines.gitlabMentions),
  ],
  [
    /^bitbucket-pipelines\.ya?ml$/,
    yamlFormat('bitbucket-pipelines', requireCatalogEntry('bitbucket-pipelines'), pipelines.bitbucketMentions),
  ],
  [/^\.circleci\/[^/]+\.ya?ml$/, yamlFormat('circleci', requireCatalogEntry('circleci'), pipelines.circleMentions)],
  [
    /(^|\/)\.?azure-pipelines[^/]*\.ya?ml$|^\.?azure-pipelines\/.+\.ya?ml$|^\.azuredevops\/.+\.ya?ml$/,
    yamlFormat('azure-pipelines', requireCatalogEntry('azure-pipelines'), pipelines.azureMentions),
  ],
  [
    /(^|\/)Jenkinsfile[^/]*$|\.jenkinsfile$/i,
    { source: 'jenkins', tool: jenkinsEntry, read: withoutErrors(jenkinsMentions) },
  ],
  [
    /(^|\/)\.?(travis|appveyor|drone|woodpecker|cirrus|codefresh|buildspec|cloudbuild|bitrise)\.ya?ml$|^\.(buildkite|woodpecker|semaphore|tekton)\/.+\.ya?ml$/,
    yamlFormat('repository', undefined, pipelines.otherPipelineMentions),
  ],
  [
    /(^|\/)(Dockerfile|Containerfile)([.-][^/]*)?$|\.dockerfile$/i,
    { source: 'repository', tool: requireCatalogEntry('docker'), read: withoutErrors(dockerfileMentions) },
  ],
  [
    /(^|\/)(docker-)?compose([.-][^/]*)?\.ya?ml$/,
    yamlFormat('repository', requireCatalogEntry('docker-compose'), pipelines.composeMentions),
  ],
  [/(^|\/)package\.json$/, { source: 'repository', read: withoutErrors(manifestMentions) }],
  [/(^|\/)Procfile(\.[^/]+)?$/, { source: 'repository', read: withoutErrors(procfileMentions) }],
  [
    /^\.github\/dependabot\.ya?ml$|^\.dependabot\/config\.ya?ml$/,
    yamlFormat('repository', undefined, dependabotMentions),
  ],
  [/(^|\/)\.pre-commit-config\.ya?ml$/, yamlFormat('repository', undefined, preCommitMentions)],
];

const formatOf = (path: string): Format | undefined => formats.find(([pattern]) => pattern.test(path))?.[1];

function yamlFormat(
  source: ToolSource,
  tool: ToolEntry | undefined,
  mentions: (yaml: YamlReader) => ToolReference[],
): Format {
  const read = (content: string) => {
    try {
      const yaml = readYaml(content);
      return yaml ? mentions(yaml) : byLines(content);
    } catch {
      return byLines(content);
    }
  };
  return { source, ...(tool && { tool }), read };
}

/** Extracts clear references from a file with invalid YAML, line by line. */
function byLines(content: string): ToolReference[] {
  return content.split('\n').flatMap((line, index) => {
    const [, key, value = ''] =
      /^\s*(?:-\s+)?['"]?(uses|image|container)['"]?\s*:\s*['"]?([^\s'"#]{1,300})/.exec(line.slice(0, 1_000)) ?? [];
    if (key === undefined) return [];
    return (key === 'uses' ? usesMention(value, index + 1, line) : imageMention(value, index + 1)) ?? [];
  });
}

function withoutErrors(read: (content: string) => ToolReference[]): (content: string) => ToolReference[] {
  return (content) => {
    try {
      return read(content);
    } catch {
      return [];
    }
  };
}
