import { Checkbox } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useRef } from 'react';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { OfferedRepository, RepositoryOwner } from './repositoryOwners.ts';
import s from './Setup.module.css';

interface RepositoryPickerProps {
  owners: readonly RepositoryOwner[];
  /** Repository IDs. */
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** Lists repositories by owner, with a checkbox each. The checkbox of an owner selects all visible ones. */
export function RepositoryPicker({ owners, chosen, onChange }: RepositoryPickerProps) {
  const list = useRef<HTMLDivElement>(null);
  const lines = owners.flatMap((owner): PickerLine[] => [
    { owner },
    ...owner.repositories.map((repository) => ({ repository })),
  ]);
  const isLong = lines.length > drawnAtOnce;
  const virtual = useVirtualizer({
    count: isLong ? lines.length : 0,
    getScrollElement: () => list.current,
    estimateSize: (index) => (lines[index] && 'owner' in lines[index] ? 36 : 40),
    overscan: 10,
  });
  const set = (ids: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) {
      if (on) next.add(id);
      else next.delete(id);
    }
    onChange(next);
  };
  const draw = (line: PickerLine, style?: CSSProperties) =>
    'owner' in line ? (
      <OwnerLine
        key={`${line.owner.provider}/${line.owner.name}`}
        {...line}
        chosen={chosen}
        onSet={set}
        style={style}
      />
    ) : (
      <RepositoryLine
        key={line.repository.id}
        {...line}
        checked={chosen.has(line.repository.id)}
        onSet={set}
        style={style}
      />
    );
  if (lines.length === 0) return <p className={s.none}>No repository matches.</p>;
  return (
    <div ref={list} className={s.list}>
      {isLong ? (
        <div className={s.canvas} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const line = lines[index];
            return line && draw(line, { transform: `translateY(${start}px)` });
          })}
        </div>
      ) : (
        lines.map((line) => draw(line))
      )}
    </div>
  );
}

type PickerLine = { owner: RepositoryOwner } | { repository: OfferedRepository };

/** Longer lists are virtualized. */
const drawnAtOnce = 100;

interface LineProps {
  onSet: (ids: readonly string[], on: boolean) => void;
  style: CSSProperties | undefined;
}

function OwnerLine({
  owner,
  chosen,
  onSet,
  style,
}: LineProps & { owner: RepositoryOwner; chosen: ReadonlySet<string> }) {
  const ids = owner.repositories.map(({ id }) => id);
  const on = ids.filter((id) => chosen.has(id)).length;
  return (
    <div className={s.owner} style={style}>
      <Checkbox
        size="xs"
        aria-label={`All of ${owner.name}`}
        checked={on === ids.length}
        indeterminate={on > 0 && on < ids.length}
        onChange={({ currentTarget }) => onSet(ids, currentTarget.checked)}
      />
      <ProviderIcon provider={owner.provider} size={14} />
      <b className="truncate">{owner.name}</b>
      <span className={s.aside}>
        {on} of {ids.length}
      </span>
    </div>
  );
}

const RepositoryLine = ({
  repository,
  checked,
  onSet,
  style,
}: LineProps & { repository: OfferedRepository; checked: boolean }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the label contains a Mantine checkbox
  <label className={s.repository} style={style}>
    <Checkbox
      size="xs"
      aria-label={repository.fullName}
      checked={checked}
      onChange={({ currentTarget }) => onSet([repository.id], currentTarget.checked)}
    />
    <span className={`truncate ${s.name}`}>{repository.name}</span>
    {repository.isPrivate && <IconLock size={13} className="dim" role="img" aria-label="Private" />}
    {repository.pushedAt !== null && (
      <span className={s.aside}>
        <TimeAgo at={repository.pushedAt} />
      </span>
    )}
  </label>
);
