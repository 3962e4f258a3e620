import type { ChangeItem, ChangePerson } from '@sightline/contract/compliance/changes.ts';
import { IconArrowBarToDown, IconGitMerge } from '@tabler/icons-react';
import { Faces } from '#ui/Person.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { Tag } from '#ui/Tag.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import s from './Changes.module.css';
import { approvalBadges, mergeMethodLabels } from './changeLabels.ts';

/** Returns the display title of a change: its title, or the commit of a direct push. */
export const changeTitle = ({ title, number, mergeSha, mergeMethod }: ChangeItem): string =>
  title ??
  (number === null ? `${mergeMethodLabels[mergeMethod]} ${(mergeSha ?? '').slice(0, 7)}`.trim() : `#${number}`);

/** Returns the display name of a person, which may be deleted or unknown. */
export const changePersonName = ({ name, identity }: ChangePerson): string =>
  name ?? (identity === 'erased' ? 'Deleted person' : 'Unknown person');

/** A person with avatar; an agent is named as one. */
export const ChangePersonName = ({ person }: { person: ChangePerson }) => (
  <>
    <PersonName person={{ name: changePersonName(person), picture: person.avatarUrl }} />
    {person.kind === 'agent' && ' (agent)'}
  </>
);

export const changeColumns: readonly Column<ChangeItem>[] = [
  {
    key: 'change',
    header: 'Change',
    place: 'main',
    cell: (change) => (
      <RowTitle
        glyph={
          change.number === null ? (
            <IconArrowBarToDown size={18} stroke={1.6} aria-hidden />
          ) : (
            <IconGitMerge size={18} stroke={1.6} aria-hidden />
          )
        }
        meta={
          <span className={s.place}>
            <ProviderIcon provider={change.repository.provider} size={14} labelled />
            <span className="truncate">
              {change.repository.fullName}
              {change.number !== null && ` #${change.number}`} into {change.branch}
            </span>
          </span>
        }
      >
        <RowName>{changeTitle(change)}</RowName>
        {change.number === null && <Tag>{mergeMethodLabels[change.mergeMethod]}</Tag>}
        {change.hasAgent && <Tag>Agent</Tag>}
      </RowTitle>
    ),
  },
  {
    key: 'approval',
    header: 'Approval',
    width: 148,
    place: 'side',
    cell: ({ approval }) => <StatusBadge tone={approvalBadges[approval][0]}>{approvalBadges[approval][1]}</StatusBadge>,
  },
  {
    key: 'missing',
    header: 'Record',
    width: 132,
    place: 'meta',
    cell: ({ missing }) =>
      missing.length === 0 ? (
        <span className="dim">Complete</span>
      ) : (
        <span className={s.missing}>
          {missing.length === 1 ? '1 incomplete part' : `${missing.length} incomplete parts`}
        </span>
      ),
  },
  {
    key: 'authors',
    header: 'Authors',
    width: 116,
    cell: ({ authors }) =>
      authors.length === 0 ? (
        <span className="dim">Unknown</span>
      ) : (
        <Faces
          people={authors
            .slice(0, 4)
            .map((author) => ({ name: changePersonName(author), picture: author.avatarUrl ?? undefined }))}
        />
      ),
  },
  {
    key: 'date',
    header: 'Merged',
    sort: 'date',
    firstDirection: 'desc',
    width: 128,
    place: 'metaEnd',
    cell: ({ mergedAt }) => <TimeAgo at={mergedAt} />,
  },
];
