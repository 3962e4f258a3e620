import { UnstyledButton } from '@mantine/core';
import { parseAddresses } from '@sightline/contract/core/addresses.ts';
import { IconAlertCircle, IconX } from '@tabler/icons-react';
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react';
import { announce } from '#ui/announce.ts';
import {
  addEntries,
  addedAddressesText,
  commitTypedText,
  type InvitationDraft,
  type InviteeEntry,
  removeEntry,
  splitTyped,
} from './draft.ts';
import s from './Invite.module.css';

interface AddressFieldProps {
  draft: InvitationDraft;
  onChange: (draft: InvitationDraft) => void;
  describedBy: string;
}

/** The maximum number of rendered chips, so that a list of ten thousand does not block the page. */
const maxChips = 200;

/** Shows addresses as chips and marks invalid ones. Clicking an invalid one moves it back into the field. */
export function AddressField({ draft, onChange, describedBy }: AddressFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const { entries, text } = draft;
  const edit = (entry: InviteeEntry) => {
    onChange({ ...removeEntry(commitTypedText(draft), entry.text), text: entry.text });
    input.current?.focus();
  };
  const remove = (entry: InviteeEntry) => {
    onChange(removeEntry(draft, entry.text));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if ([',', ';', ' '].includes(event.key) || (event.key === 'Enter' && text.trim() !== '')) {
      event.preventDefault();
      onChange(commitTypedText(draft));
    }
    const last = entries.at(-1);
    if (event.key === 'Backspace' && text === '' && last) {
      event.preventDefault();
      edit(last);
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    // A single word may continue the typed text.
    if (!/[\s,;]/.test(pasted.trim())) return;
    event.preventDefault();
    const found = parseAddresses(pasted);
    onChange(addEntries(commitTypedText(draft), found));
    announce(addedAddressesText(found));
  };
  // Mobile keyboards, dictation and autofill send no key names or paste events: only the text changes.
  const onText = (value: string) => {
    const { found, rest } = splitTyped(value);
    onChange(addEntries({ entries, text: rest }, found));
    if (found.valid.length + found.invalid.length > 1) announce(addedAddressesText(found));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the text focuses the field, as in any input
    <div className={s.field} onMouseDown={(event) => event.target === event.currentTarget && focusSoon(input.current)}>
      {entries.slice(0, maxChips).map((entry) => (
        <Chip key={entry.text} entry={entry} onEdit={() => edit(entry)} onRemove={() => remove(entry)} />
      ))}
      {entries.length > maxChips && <span className={s.more}>and {entries.length - maxChips} more</span>}
      <input
        ref={input}
        className={s.input}
        type="text"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-label="Email addresses"
        aria-describedby={describedBy}
        placeholder={entries.length === 0 ? 'name@company.com, …' : 'Add addresses'}
        value={text}
        onChange={({ currentTarget: { value }, nativeEvent }) =>
          // Changing the text during a composition would end the composition.
          isComposing(nativeEvent) ? onChange({ ...draft, text: value }) : onText(value)
        }
        onCompositionEnd={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </div>
  );
}

const isComposing = (event: Event) => 'isComposing' in event && event.isComposing === true;

// Deferred, because the mouse press itself would remove the focus again.
const focusSoon = (input: HTMLInputElement | null) => requestAnimationFrame(() => input?.focus());

function Chip({ entry, onEdit, onRemove }: { entry: InviteeEntry; onEdit: () => void; onRemove: () => void }) {
  const { text, address } = entry;
  return (
    <span className={s.chip} data-bad={address === undefined || undefined}>
      {address === undefined ? (
        <UnstyledButton className={s.edit ?? ''} onClick={onEdit} title="Edit">
          <IconAlertCircle size={13} aria-hidden />
          <span className="truncate">{text}</span>
          <span className="vh"> is not a complete address; edit</span>
        </UnstyledButton>
      ) : (
        <span className="truncate">{text}</span>
      )}
      <UnstyledButton className={s.x ?? ''} aria-label={`Remove ${text}`} onClick={onRemove}>
        <IconX size={12} aria-hidden />
      </UnstyledButton>
    </span>
  );
}
