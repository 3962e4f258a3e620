import type { Parameter } from '@sightline/contract/timeline/events.ts';
import { Entity, type EntityKind } from './Entity.tsx';
import { ProviderIcon } from './ProviderIcon.tsx';

/** Called for a click on an object; alt-click excludes it. */
export type OnEntity = (parameter: Parameter, options: { exclude: boolean }) => void;

type EntityParameter = Parameter & { kind: Exclude<Parameter['kind'], 'text' | 'number'> };

interface EventEntityProps {
  parameter: Parameter;
  /** Without it the chip is text. */
  onEntity?: OnEntity | undefined;
}

/** A parameter as a chip. A person who cannot be searched for is not clickable. */
export const EventEntity = ({ parameter, onEntity }: EventEntityProps) =>
  isEntity(parameter) && (
    <Entity
      kind={entityKinds[parameter.kind]}
      text={parameter.display}
      picture={wordIn(parameter, 'picture')}
      icon={
        parameter.kind === 'repository' && parameter.icon ? (
          <ProviderIcon provider={parameter.icon} size={13} />
        ) : undefined
      }
      onClick={onEntity && parameter.ident !== '' ? (options) => onEntity(parameter, options) : undefined}
    />
  );

function wordIn({ data }: Parameter, name: string): string | undefined {
  const value = data?.[name];
  return typeof value === 'string' ? value : undefined;
}

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
