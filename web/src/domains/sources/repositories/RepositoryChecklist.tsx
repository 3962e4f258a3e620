import { Checkbox, TextInput } from '@mantine/core';
import { IconLock, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import type { OwnerOffer } from './choice.ts';
import s from './RepositoryChecklist.module.css';

interface RepositoryChecklistProps {
  /** Returns the offered repositories whose name contains the text; undefined while loading. */
  offers: ((words: string) => OwnerOffer[]) | undefined;
  added: ReadonlySet<string>;
  onChange: (added: ReadonlySet<string>) => void;
}

/** Lists the offered repositories by owner, with a search and a checkbox for all visible ones of an owner. */
export function RepositoryChecklist({ offers, added, onChange }: RepositoryChecklistProps) {
  const [words, setWords] = useState('');
  if (!offers) return <Waiting />;
  const groups = offers(words);
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search repositories"
        placeholder="Search repositories"
        value={words}
        data-autofocus
        leftSection={<IconSearch size={15} aria-hidden />}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <div className={s.list}>
        {groups.map((group) => (
          <OwnerGroup key={`${group.provider}/${group.owner}`} offer={group} added={added} onChange={onChange} />
        ))}
        {groups.length === 0 && (
          <p className={s.none}>
            {words === ''
              ? 'The connected code hosts provide no repositories. Give the app access in its settings.'
              : `No repository matches “${words}”.`}
          </p>
        )}
      </div>
    </>
  );
}

interface GroupProps {
  offer: OwnerOffer;
  added: ReadonlySet<string>;
  onChange: (added: ReadonlySet<string>) => void;
}

function OwnerGroup({ offer: { provider, owner, repositories }, added, onChange }: GroupProps) {
  const free = repositories.filter(({ tracked }) => !tracked).map(({ id }) => id);
  const chosen = free.filter((id) => added.has(id));
  const all = chosen.length === free.length;
  const change = (ids: readonly string[], on: boolean) =>
    onChange(new Set(on ? [...added, ...ids] : [...added].filter((id) => !ids.includes(id))));
  return (
    <fieldset className={s.owner}>
      <legend className="vh">{owner}</legend>
      <div className={s.head}>
        <Checkbox
          label={
            <span className={s.name}>
              <ProviderIcon provider={provider} size={15} labelled />
              <b>{owner}</b>
              <span className="dim">
                {free.length === 0 ? 'all enabled' : `${chosen.length} of ${free.length} chosen`}
              </span>
            </span>
          }
          aria-label={`All of ${owner}`}
          checked={all}
          indeterminate={chosen.length > 0 && !all}
          disabled={free.length === 0}
          onChange={({ currentTarget }) => change(free, currentTarget.checked)}
        />
      </div>
      <ul>
        {repositories.map(({ id, name, fullName, isPrivate, tracked }) => (
          <li key={id} className={s.repository}>
            <Checkbox
              label={
                <span className={s.name}>
                  <span className="truncate">{name}</span>
                  {isPrivate && <IconLock size={13} className="dim" role="img" aria-label="Private" />}
                  {tracked && <span className="dim">enabled</span>}
                </span>
              }
              title={fullName}
              checked={tracked || added.has(id)}
              disabled={tracked}
              onChange={({ currentTarget }) => change([id], currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

const Waiting = () => (
  <div className={s.waiting} aria-busy>
    <span className="vh">Loading available repositories</span>
    {['55%', '42%', '64%', '38%', '50%'].map((width) => (
      <span key={width} className={s.placeholder} style={{ width }} />
    ))}
  </div>
);
