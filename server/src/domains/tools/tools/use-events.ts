import type { ExtensionSide } from '@sightline/contract/identity/extensions.ts';
import type { Actor } from '#core/actor.ts';
import { idOf } from '#core/ids.ts';
import type { NewEvent } from '../../timeline/events/new-event.ts';
import { entryOf } from './catalog/catalog.ts';
import type { Sighting } from './sums.ts';

type CatalogEntry = Sighting['entry'];

interface Use {
  entry: Pick<CatalogEntry, 'id' | 'name' | 'vendor' | 'icon'>;
  program: string;
  source: Sighting['source'];
  at: Date;
}

/** That somebody began to work with a tool; once, and again after each time they had stopped, at `gone`. */
export const startedEvent = (use: Use, actor: Actor, name: string, gone: Date | undefined): NewEvent => ({
  id: idOf('tool', actor.personId, use.entry.id, use.program, ...(gone ? [gone.toISOString()] : [])),
  ...told(use, actor, name, 'started using'),
});

/** That an editor of somebody no longer has a tool. */
export const stoppedEvent = (use: Use, actor: Actor, name: string): NewEvent => ({
  id: idOf('tool.stopped', actor.personId, use.entry.id, use.program, use.at.toISOString()),
  ...told(use, actor, name, 'stopped using'),
});

function told({ entry, program, source, at }: Use, actor: Actor, name: string, does: string): Omit<NewEvent, 'id'> {
  const where = programOf(program, source === 'browser' ? 'browser' : 'ide');
  const itself = where.id === entry.id;
  return {
    kind: 'tool',
    asOf: at.toISOString(),
    actor: actor.personId,
    repositoryId: null,
    pullRequest: null,
    source: program,
    summary: {
      phrase: itself ? `{0} ${does} {1}` : `{0} ${does} {1} in {2}`,
      parameters: [
        { kind: 'user', display: name, ident: actor.email },
        { kind: 'tool', display: entry.name, ident: entry.id, ...(entry.icon !== null && { icon: entry.icon }) },
        ...(itself ? [] : [{ kind: 'tool' as const, display: where.name, ident: where.id }]),
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

/** An editor or browser as a tool; one we do not know goes by its own name. */
export const programOf = (type: string, side: ExtensionSide): CatalogEntry =>
  entryOf(type) ?? {
    id: `program:${type}`,
    name: type,
    vendor: null,
    icon: null,
    kind: side === 'ide' ? 'ide' : 'browser',
    categories: [side === 'ide' ? 'Editor' : 'Browser'],
  };
