import type { ToolSource } from '@sightline/contract/tools/tools.ts';
import { byFile, known } from '../catalog/catalog.ts';
import type { ToolEntry } from '../catalog/entry.ts';
import { type Detection, distinct, type Mention } from './detection.ts';
import { dockerfileMentions } from './docker.ts';
import { actionMentions, githubActions, workflowMentions } from './github.ts';
import { imageMention } from './image.ts';
import { jenkins, jenkinsMentions } from './jenkins.ts';
import { manifestMentions } from './manifest.ts';
import * as pipelines from './pipelines.ts';
import { procfileMentions } from './procfile.ts';
import { dependabotMentions, preCommitMentions } from './settings.ts';
import { usesMention } from './uses.ts';
import { readYaml, type Yaml } from './yaml.ts';

/** Increase it when detection rules change: then every file is read again. */
export const detectorVersion = 3;
/** Larger files are detected only by their name and not read. */
export const mostBytes = 512 * 1024;
const MAX_DETECTIONS = 2_000;

/** Whether a file may reference a tool, by its name or by its content. */
export function interestOf(path: string): 'name' | 'content' | undefined {
  if (isForeign(path)) return undefined;
  if (formatOf(path)) return 'content';
  return byFile(path) ? 'name' : undefined;
}

/** Returns the tools that a file references, in line order. Never throws, for any content. */
export function detect(path: string, content: string): Detection[] {
  if (isForeign(path)) return [];
  const format = formatOf(path);
  const source = format?.source ?? 'repository';
  const fileMentions = [format?.tool, byFile(path)].flatMap((tool) =>
    tool ? [{ tool, line: null, text: path.slice(-200), version: null }] : [],
  );
  const mentions = format && content.length <= mostBytes && !content.includes('\0') ? format.read(content) : [];
  return distinct([...fileMentions, ...mentions])
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
    .slice(0, MAX_DETECTIONS)
    .map((mention) => ({ ...mention, source }));
}

// Third-party code and test data.
const foreign = /(^|\/)(node_modules|vendor|third_party|testdata|fixtures|__fixtures__|bower_components|\.git)\//;
const isForeign = (path: string) => foreign.test(path);

interface Format {
  source: ToolSource;
  /** The tool that the entire file configures. */
  tool?: ToolEntry;
  read: (content: string) => Mention[];
}

const formats: readonly (readonly [RegExp, Format])[] = [
  [/^\.github\/workflows\/[^/]+\.ya?ml$/, yamlFormat('github-actions', githubActions, workflowMentions)],
  [/^\.(gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/, yamlFormat('repository', undefined, workflowMentions)],
  [/(^|\/)action\.ya?ml$/, yamlFormat('github-actions', undefined, actionMentions)],
  [
    /(^|\/)[^/]*\.gitlab-ci\.ya?ml$|^\.gitlab\/(ci|workflows)\/.+\.ya?ml$/,
    yamlFormat('gitlab-ci', known('gitlab-ci'), pipelines.gitlabMentions),
  ],
  [
    /^bitbucket-pipelines\.ya?ml$/,
    yamlFormat('bitbucket-pipelines', known('bitbucket-pipelines'), pipelines.bitbucketMentions),
  ],
  [/^\.circleci\/[^/]+\.ya?ml$/, yamlFormat('circleci', known('circleci'), pipelines.circleMentions)],
  [
    /(^|\/)\.?azure-pipelines[^/]*\.ya?ml$|^\.?azure-pipelines\/.+\.ya?ml$|^\.azuredevops\/.+\.ya?ml$/,
    yamlFormat('azure-pipelines', known('azure-pipelines'), pipelines.azureMentions),
  ],
  [
    /(^|\/)Jenkinsfile[^/]*$|\.jenkinsfile$/i,
    { source: 'jenkins', tool: jenkins, read: withoutErrors(jenkinsMentions) },
  ],
  [
    /(^|\/)\.?(travis|appveyor|drone|woodpecker|cirrus|codefresh|buildspec|cloudbuild|bitrise)\.ya?ml$|^\.(buildkite|woodpecker|semaphore|tekton)\/.+\.ya?ml$/,
    yamlFormat('repository', undefined, pipelines.otherMentions),
  ],
  [
    /(^|\/)(Dockerfile|Containerfile)([.-][^/]*)?$|\.dockerfile$/i,
    { source: 'repository', tool: known('docker'), read: withoutErrors(dockerfileMentions) },
  ],
  [
    /(^|\/)(docker-)?compose([.-][^/]*)?\.ya?ml$/,
    yamlFormat('repository', known('docker-compose'), pipelines.composeMentions),
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

function yamlFormat(source: ToolSource, tool: ToolEntry | undefined, mentions: (yaml: Yaml) => Mention[]): Format {
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
function byLines(content: string): Mention[] {
  return content.split('\n').flatMap((line, index) => {
    const [, key, value = ''] =
      /^\s*(?:-\s+)?['"]?(uses|image|container)['"]?\s*:\s*['"]?([^\s'"#]{1,300})/.exec(line.slice(0, 1_000)) ?? [];
    if (key === undefined) return [];
    return (key === 'uses' ? usesMention(value, index + 1, line) : imageMention(value, index + 1)) ?? [];
  });
}

function withoutErrors(read: (content: string) => Mention[]): (content: string) => Mention[] {
  return (content) => {
    try {
      return read(content);
    } catch {
      return [];
    }
  };
}
