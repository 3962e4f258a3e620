import type { DocPage } from 'virtual:user-docs';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { isKeyHandledElsewhere, useLetterShortcutsEnabled } from '#lib/shortcuts.ts';
import { Keys } from '#ui/Keys.tsx';
import { useNavigate } from '#ui/Link.tsx';
import s from './DocsSearch.module.css';
import { HitRow } from './HitRow.tsx';
import { passagesOf, searchPassages } from './search.ts';

interface DocsSearchProps {
  pages: readonly DocPage[];
  /** Focuses the field when it appears. */
  focused: boolean;
}

/** Searches all pages while typing, without a request to the server. */
export function DocsSearch({ pages, focused }: DocsSearchProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [opened, setOpened] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const navigate = useNavigate();
  const searching = text.trim() !== '';
  const passages = useMemo(() => (searching ? passagesOf(pages) : []), [searching, pages]);
  const hits = useMemo(() => searchPassages(passages, text), [passages, text]);
  const shown = opened && searching;
  useKeysToSearch(() => {
    input.current?.focus();
    input.current?.select();
  });
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);

  const go = (index: number) => {
    const hit = hits[index];
    if (!hit) return;
    setOpened(false);
    setText('');
    input.current?.blur();
    navigate(hit.href);
  };
  const choose = (index: number) => {
    const next = (index + hits.length) % hits.length;
    setChosen(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      if (text === '') input.current?.blur();
      setText('');
    } else if (shown && event.key === 'Enter') go(chosen);
    else if (shown && hits.length > 0 && event.key === 'ArrowDown') choose(chosen + 1);
    else if (shown && hits.length > 0 && event.key === 'ArrowUp') choose(chosen - 1);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every supported browser implements <search>
    <div className={s.search} role="search">
      <IconSearch className={s.icon} size={16} stroke={1.6} aria-hidden />
      <input
        ref={input}
        className={s.input}
        role="combobox"
        aria-label="Search the documentation"
        aria-expanded={shown}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={shown && hits[chosen] ? `${id}-${chosen}` : undefined}
        placeholder="Search the documentation"
        value={text}
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
        onKeyDown={onKeyDown}
        onFocus={() => setOpened(true)}
        onBlur={() => setOpened(false)}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
          setOpened(true);
        }}
      />
      {text === '' && (
        <span className={s.keys} aria-hidden>
          <Keys keys={['/']} />
        </span>
      )}
      <div className={s.found} data-shown={shown || undefined}>
        <div className={s.list} id={id} role="listbox" aria-label="Found">
          {shown &&
            hits.map((hit, index) => (
              <HitRow
                key={hit.href}
                id={`${id}-${index}`}
                hit={hit}
                active={index === chosen}
                onPoint={() => setChosen(index)}
                onRun={() => go(index)}
              />
            ))}
        </div>
        <p className={s.state} role="status">
          {shown && stateOf(hits.length)}
        </p>
      </div>
    </div>
  );
}

function stateOf(count: number): string {
  if (count === 0) return 'No results. Try fewer or different words.';
  return count === 1 ? '1 result' : `${count} results`;
}

/** Focuses the field on `/` and on the shortcut of the command palette. */
function useKeysToSearch(focus: () => void): void {
  const [letters] = useLetterShortcutsEnabled();
  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const asPalette = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey;
    const asLetter = key === '/' && letters && !ctrlKey && !metaKey && !altKey && !isKeyHandledElsewhere(event.target);
    if (!asPalette && !asLetter) return;
    event.preventDefault();
    focus();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
