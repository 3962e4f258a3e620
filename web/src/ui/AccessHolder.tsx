import { type AccessHolder as Holder, holderKindNames } from '@sightline/contract/sources/host-access.ts';
import { IconApps, IconKey, IconUsersGroup } from '@tabler/icons-react';
import { Face } from './Person.tsx';
import { RowName, RowTitle } from './RowTitle.tsx';

const icons = { team: IconUsersGroup, key: IconKey, app: IconApps } as const;

/** An account, team, deploy key or app of a code host, with the person it belongs to. */
export function AccessHolder({ holder }: { holder: Holder }) {
  const { kind, name, person } = holder;
  if (kind === 'person') {
    const shown = person?.name ?? name;
    return (
      <RowTitle glyph={<Face name={shown} id={person?.id} />} meta={shown === name ? undefined : name}>
        <RowName>{shown}</RowName>
      </RowTitle>
    );
  }
  const Icon = icons[kind];
  const addedBy = person?.name ? `, added by ${person.name}` : '';
  return (
    <RowTitle
      glyph={<Icon size={16} stroke={1.8} aria-hidden />}
      meta={`${holderKindNames[kind]}${kind === 'key' ? addedBy : ''}`}
    >
      <RowName>{name === '' ? holderKindNames[kind] : name}</RowName>
    </RowTitle>
  );
}
