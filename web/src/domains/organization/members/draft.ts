import { type Addresses, addressesIn, invitableAddress } from '@sightline/contract/core/addresses.ts';

/** One entry of the form: its words, and the address they make, if any. */
export interface InviteeEntry {
  text: string;
  address: string | undefined;
}

/** What stands in the form: entries that are finished, and the words still being typed. */
export interface InvitationDraft {
  entries: readonly InviteeEntry[];
  text: string;
}

export const emptyDraft: InvitationDraft = { entries: [], text: '' };

/** The entries with the typed words counted in, once they make an address: that is what the button would send. */
export function entriesOf({ entries, text }: InvitationDraft): readonly InviteeEntry[] {
  const address = invitableAddress(text);
  return address === undefined ? entries : withEntries(entries, [{ text: address, address }]);
}

/** Takes the typed words over as entries. */
export const settle = (draft: InvitationDraft): InvitationDraft =>
  join({ ...draft, text: '' }, addressesIn(draft.text));

/** Divides what is in the field at its last separator: the entries before it are complete, the rest is still being typed. */
export function splitTyped(value: string): { found: Addresses; rest: string } {
  const isOpen = /<[^>]*$/.test(value);
  const end = isOpen ? 0 : value.includes('<') ? value.length : value.search(/[^\s,;]*$/);
  return { found: addressesIn(value.slice(0, end)), rest: value.slice(end) };
}

/** Adds what a list or a file held, each entry once. */
export const join = ({ entries, text }: InvitationDraft, { valid, invalid }: Addresses): InvitationDraft => ({
  text,
  entries: withEntries(entries, [
    ...valid.map((address) => ({ text: address, address })),
    ...invalid.map((wrong) => ({ text: wrong, address: undefined })),
  ]),
});

export const without = ({ entries, text }: InvitationDraft, gone: string): InvitationDraft => ({
  text,
  entries: entries.filter((entry) => entry.text !== gone),
});

/** '12 addresses added, 2 to correct'. */
export function summaryOf({ valid, invalid }: Addresses): string {
  const added = `${valid.length} ${valid.length === 1 ? 'address' : 'addresses'} added`;
  return invalid.length === 0 ? added : `${added}, ${invalid.length} to correct`;
}

function withEntries(entries: readonly InviteeEntry[], more: readonly InviteeEntry[]): readonly InviteeEntry[] {
  const known = new Set(entries.map(({ text }) => text));
  return [...entries, ...more.filter(({ text }) => !known.has(text))];
}
