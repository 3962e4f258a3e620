import type { ExtensionSide } from '@sightline/contract/identity/extensions.ts';
import { configuredAgentNames } from '@sightline/contract/tools/agent-configuration.ts';
import type { Actor } from '#core/actor.ts';
import { factId } from '#core/ids.ts';
import type { NewEvent } from '../../timeline/events/new-event.ts';
import { findToolEntry } from './catalog/catalog.ts';
import type { ToolSightingInput } from './record-sightings.ts';

type CatalogEntry = ToolSightingInput['entry'];

interface Use {
  entry: Pick<CatalogEntry, 'id' | 'name' | 'vendor' | 'icon'>;
  program: string;
  /** The program with the extension that reported it. */
  reporter: string;
  source: ToolSightingInput['source'];
  at: Date;
}

/** The event of a person who started using a tool: once, and again after each time they stopped, at `stoppedAt`. */
export const toolStartedEvent = (use: Use, actor: Actor, name: string, stoppedAt: Date | undefined): NewEvent => ({
  id: factId('tool', actor.personId, use.entry.id, use.program, ...(stoppedAt ? [stoppedAt.toISOString()] : [])),
  ...toolUseEvent(use, actor, name, 'started using'),
});

/** The event of a person who no longer has a tool in an editor. */
export const toolStoppedEvent = (use: Use, actor: Actor, name: string): NewEvent => ({
  id: factId('tool.stopped', actor.personId, use.entry.id, use.program, use.at.toISOString()),
  ...toolUseEvent(use, actor, name, 'stopped using'),
});

function toolUseEvent(
  { entry, program, reporter, source, at }: Use,
  actor: Actor,
  name: string,
  action: string,
): Omit<NewEvent, 'id'> {
  const programEntry = programEntryOf(program, source === 'browser' ? 'browser' : 'ide');
  const isProgramItself = programEntry.id === entry.id;
  return {
    kind: 'tool',
    asOf: at.toISOString(),
    actor: actor.personId,
    repositoryId: null,
    pullRequest: null,
    source: reporter,
    summary: {
      phrase: isProgramItself ? `{0} ${action} {1}` : `{0} ${action} {1} in {2}`,
      parameters: [
        { kind: 'user', display: name, ident: actor.email },
        { kind: 'tool', display: entry.name, ident: entry.id, ...(entry.icon !== null && { icon: entry.icon }) },
        ...(isProgramItself ? [] : [{ kind: 'tool' as const, display: programEntry.name, ident: programEntry.id }]),
      ],
    },
    detail: [
      { label: 'Identifier', parameter: { kind: 'text', display: entry.id, ident: '' } },
      ...(entry.vendor === null
        ? []
        : [{ label: 'Vendor', parameter: { kind: 'text' as const, display: entry.vendor, ident: '' } }]),
    ],
    words: entry.id,
  };
}

const agentNames: ReadonlyMap<string, string> = new Map(Object.entries(configuredAgentNames));

/** Returns an editor, browser or agent as a tool; an uncataloged program has its type as name. */
export const programEntryOf = (type: string, side: ExtensionSide): CatalogEntry =>
  findToolEntry(type) ?? {
    id: `program:${type}`,
    name: agentNames.get(type) ?? type,
    vendor: null,
    icon: null,
    kind: side === 'ide' ? 'ide' : 'browser',
    categories: [side === 'ide' ? 'Editor' : 'Browser'],
  };
