import type { RepositoryListItem } from '@sightline/contract/sources/repositories.ts';
import { IconLock } from '@tabler/icons-react';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { Tag } from '#ui/Tag.tsx';
import s from './Repositories.module.css';

type RepositoryReference = Pick<RepositoryListItem, 'provider' | 'fullName' | 'name' | 'isPrivate'>;

export const RepositoryName = ({
  repository: { provider, fullName, name, isPrivate },
}: {
  repository: RepositoryReference;
}) => (
  <RowTitle glyph={<ProviderIcon provider={provider} labelled />}>
    <span className="truncate" title={fullName}>
      <span className="dim">{fullName.slice(0, -name.length)}</span>
      <RowName>{name}</RowName>
    </span>
    {isPrivate ? <IconLock size={13} className={s.lock} role="img" aria-label="Private" /> : <Tag>Public</Tag>}
  </RowTitle>
);
