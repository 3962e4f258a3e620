import { Modal } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from '#ui/Link.tsx';
import { actionsOf } from './actions.ts';
import s from './Palette.module.css';
import { type Item, PaletteRow } from './PaletteRow.tsx';
import type { PaletteEntry } from './paletteEntry.ts';
import { rankMatches } from './rankMatches.ts';
import { type PaletteCommand, type PaletteContext, screensOf } from './screens.ts';
import { usePaletteSearch } from './usePaletteSearch.ts';

interface PaletteProps {
  context: PaletteContext;
  opened: boolean;
  onClose: () => void;
}

/** Navigates to any screen, repository, member, tool or vulnerability, and runs global actions. */
export function Palette({ context, opened, onClose }: PaletteProps) {
  // The dialog must be mounted closed first, to know where to return the focus.
  const [drawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  // After a navigation the focus is not returned.
  const went = useRef(false);
  return (
    <Modal.Root
      opened={opened && drawn}
      onClose={onClose}
      size={600}
      yOffset="12vh"
      returnFocus={!went.current}
      onExitTransitionEnd={() => went.current && focusTitle()}
      classNames={{ content: s.content ?? '', body: s.body ?? '' }}
      transitionProps={{ transition: 'fade', duration: 120, exitDuration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Search and commands">
        <Modal.Body>
          <Box context={context} onClose={onClose} went={went} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Focuses the page title after a navigation between pages with the same title, or while the palette is open. */
function focusTitle(): void {
  const { activeElement } = document;
  // At the end of its transition the palette is still mounted, and removed afterwards.
  if (activeElement === document.body || activeElement?.closest('[role=dialog]'))
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

function Box({ context, onClose, went }: Omit<PaletteProps, 'opened'> & { went: RefObject<boolean> }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string>();
  const found = usePaletteSearch(text, context);
  const navigate = useNavigate();
  const id = useId();
  useEffect(() => {
    went.current = false;
  }, [went]);
  const groups = [
    { title: 'Go to', items: rankMatches(text, screensOf(context)).map(itemOf) },
    { title: 'Actions', items: rankMatches(text, actionsOf(context)).map(itemOf) },
    ...found.groups.map(({ title, items }) => ({ title, items: items.map((item) => foundOf(title, item)) })),
  ].filter(({ items }) => items.length > 0);
  const items = groups.flatMap((group) => group.items);
  // Later results do not change the selection; without one, the first result is selected.
  const activeIndex = Math.max(
    0,
    items.findIndex(({ value }) => value === chosen),
  );
  const active = items[activeIndex];

  const run = (item: Item) => {
    went.current = typeof item.run === 'string';
    onClose();
    if (typeof item.run === 'string') navigate(item.run);
    else item.run();
  };
  const choose = (next: number) => {
    const item = items.at(next % items.length);
    if (!item) return;
    setChosen(item.value);
    document.getElementById(optionId(id, item))?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    if (key !== 'ArrowDown' && key !== 'ArrowUp' && key !== 'Enter') return;
    event.preventDefault();
    if (key !== 'Enter') choose(activeIndex + (key === 'ArrowDown' ? 1 : -1));
    else if (active) run(active);
  };
  return (
    <>
      <div className={s.search}>
        <IconSearch size={18} stroke={1.6} aria-hidden />
        <input
          className={s.input}
          role="combobox"
          aria-label="Search and commands"
          aria-expanded
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={active && optionId(id, active)}
          placeholder="Search or run a command"
          value={text}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          data-autofocus
          onKeyDown={onKeyDown}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setChosen(undefined);
          }}
        />
      </div>
      <div className={s.list} id={id} role="listbox" aria-label="Results">
        {groups.map(({ title, items }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is not permitted in a listbox
          <div key={title} role="group" aria-labelledby={titleId(id, title)}>
            <div className={s.title} id={titleId(id, title)}>
              {title}
            </div>
            {items.map((item) => (
              <PaletteRow
                key={item.value}
                id={optionId(id, item)}
                item={item}
                active={item === active}
                onPoint={() => setChosen(item.value)}
                onRun={() => run(item)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className={s.state} role="status">
        {stateOf(items.length, found)}
      </p>
    </>
  );
}

const titleId = (id: string, title: string) => `${id}-${title.replace(' ', '-')}`;

// DOM IDs, since the name of an item can contain any character.
const optionId = (id: string, { value }: Item) => `${id}-${encodeURIComponent(value)}`;

function stateOf(count: number, { searching, failed }: { searching: boolean; failed: boolean }): string {
  if (searching) return 'Searching…';
  if (failed) return 'Some results could not be loaded. Try again in a moment.';
  if (count === 0) return 'No results. Try fewer letters.';
  return count === 1 ? '1 result' : `${count} results`;
}

const itemOf = ({ id, label, Icon, keys = [], run }: PaletteCommand): Item => ({
  value: id,
  label,
  detail: '',
  Icon,
  keys,
  run,
});

const foundOf = (title: string, { id, label, detail, Icon, href }: PaletteEntry): Item => ({
  value: `${title} ${id}`,
  label,
  detail,
  Icon,
  keys: [],
  run: href,
});
