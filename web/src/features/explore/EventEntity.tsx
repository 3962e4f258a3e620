import type { Parameter } from '@sightline/contract/events.ts';
import { Entity, type EntityKind } from '#ui/Entity.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import type { OnEntity } from './useEntityFilter.ts';

type EntityParameter = Parameter & { kind: Exclude<Parameter['kind'], 'text' | 'number'> };

/** A parameter as a chip. One that nobody can be found by is not clickable. */
export const EventEntity = ({ parameter, onEntity }: { parameter: Parameter; onEntity: OnEntity }) =>
  isEntity(parameter) && (
    <Entity
      kind={entityKinds[parameter.kind]}
      text={parameter.display}
      identity={parameter.ident || undefined}
      icon={
        parameter.kind === 'repository' && parameter.icon ? (
          <ProviderIcon provider={parameter.icon} size={13} />
        ) : undefined
      }
      onClick={parameter.ident === '' ? undefined : (options) => onEntity(parameter, options)}
    />
  );

export const isEntity = (parameter: Parameter): parameter is EntityParameter =>
  parameter.kind !== 'text' && parameter.kind !== 'number';

const entityKinds: Record<EntityParameter['kind'], EntityKind> = {
  user: 'user',
  pr: 'pull_request',
  repository: 'repository',
  branch: 'branch',
  sha: 'sha',
  file: 'file',
  website: 'website',
  browser: 'browser',
  commit: 'commit',
  data_source: 'data_source',
  tool: 'tool',
};
