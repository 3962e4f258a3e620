import type { Parameter } from '@sightline/contract/timeline/events.ts';
import { factId } from '#core/ids.ts';
import type { NewEvent } from '../../../timeline/events/new-event.ts';
import type { DetectionWithId } from './detection-id.ts';
import type { LineOrigin } from './origin.ts';
import type { ScannedRepository } from './scene.ts';

interface Addition {
  one: DetectionWithId;
  origin: LineOrigin;
  person: string | null;
  /** When the repository stopped referencing the tool before; undefined for the first time. */
  gone: Date | undefined;
}

/**
 * Creates the event of a tool that was added to a repository, from its earliest detection: once, and again after each
 * removal.
 */
export function toolAddedEvent(scene: ScannedRepository, { one, origin, person, gone }: Addition): NewEvent {
  const { repositoryId, fullName, provider, url } = scene;
  const { tool, path, text, version } = one;
  const { author } = origin;
  const by: Parameter = author
    ? { kind: 'user', display: author.name, ident: author.login ?? author.email }
    : { kind: 'user', display: 'Unknown person', ident: '' };
  const toolParameter: Parameter = {
    kind: 'tool',
    display: tool.name,
    ident: tool.id,
    ...(tool.icon !== null && { icon: tool.icon }),
  };
  const commit: Parameter = {
    kind: 'sha',
    display: origin.commit.slice(0, 7),
    ident: origin.commit,
    data: { url: `${url}/commit/${origin.commit}` },
  };
  return {
    id: factId('tool.added', repositoryId, tool.id, ...(gone ? [gone.toISOString()] : [])),
    kind: 'tool',
    asOf: withinTimeline(origin.at),
    actor: person,
    repositoryId,
    pullRequest: null,
    source: provider,
    summary: {
      phrase: author ? '{0} added {1} to {2}' : '{1} is in use in {2}',
      parameters: [by, toolParameter, { kind: 'repository', display: fullName, ident: fullName, icon: provider }],
    },
    detail: [
      {
        label: 'File',
        parameter: { kind: 'file', display: one.line === null ? path : `${path}:${one.line}`, ident: path },
      },
      { label: 'Text', parameter: { kind: 'text', display: text, ident: '' } },
      ...(version === null
        ? []
        : [{ label: 'Version', parameter: { kind: 'text' as const, display: version, ident: version } }]),
      ...(tool.vendor === null
        ? []
        : [{ label: 'Vendor', parameter: { kind: 'text' as const, display: tool.vendor, ident: tool.vendor } }]),
      { label: 'Commit', parameter: commit },
      {
        label: 'Confidence',
        parameter: {
          kind: 'text' as const,
          ident: origin.confidence,
          display:
            origin.confidence === 'observed'
              ? 'Observed: blame names the commit'
              : 'Inferred from the history of the file',
        },
      },
    ],
    words: `tool ${tool.name} ${tool.vendor ?? ''} ${path} ${text}`.slice(0, 2000),
  };
}

/** Creates the event of a tool that no file of a repository references any more, as of a commit. */
export function toolRemovedEvent(
  { repositoryId, fullName, provider, url }: ScannedRepository,
  tool: { id: string; name: string; icon: string | null },
  { commit, at }: { commit: string; at: Date },
): NewEvent {
  return {
    id: factId('tool.removed', repositoryId, tool.id, at.toISOString()),
    kind: 'tool',
    asOf: at.toISOString(),
    actor: null,
    repositoryId,
    pullRequest: null,
    source: provider,
    summary: {
      phrase: '{0} is no longer in use in {1}',
      parameters: [
        { kind: 'tool', display: tool.name, ident: tool.id, ...(tool.icon !== null && { icon: tool.icon }) },
        { kind: 'repository', display: fullName, ident: fullName, icon: provider },
      ],
    },
    detail: [
      {
        label: 'Found at',
        parameter: {
          kind: 'sha' as const,
          display: commit.slice(0, 7),
          ident: commit,
          data: { url: `${url}/commit/${commit}` },
        },
      },
    ],
    words: `tool ${tool.name}`,
  };
}

// Commit times may have any value; the timeline covers 1970 to 2100.
const MAX_TIME = Date.UTC(2100, 11, 31);
const withinTimeline = (time: Date) => new Date(Math.min(Math.max(time.getTime() || 0, 0), MAX_TIME)).toISOString();
