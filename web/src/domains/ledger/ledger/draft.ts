import type { AnchorKind, createAnchor } from '@sightline/contract/ledger/anchors.ts';
import type { z } from 'zod';

export type AnchorDraft = z.input<typeof createAnchor.body>;

/** The form state for all kinds of anchors, so that switching the kind keeps the input. */
export interface AnchorForm {
  kind: AnchorKind;
  party: string;
  everyHours: string;
  url: string;
  key: string;
  certificates: string;
  addresses: string;
  branch: string;
  folder: string;
  user: string;
  secret: string;
}

export const emptyAnchorForm: AnchorForm = {
  kind: 'witness',
  party: '',
  everyHours: '24',
  url: '',
  key: '',
  certificates: '',
  addresses: '',
  branch: 'main',
  folder: 'sightline-ledger',
  user: '',
  secret: '',
};

const addressesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((one) => one !== '');

export function isAnchorFormComplete({ kind, party, url, key, secret }: AnchorForm): boolean {
  if (party.trim() === '') return false;
  if (kind === 'mail') return true;
  if (url.trim() === '') return false;
  return (kind !== 'witness' || key.trim() !== '') && (kind !== 'git' || secret.trim() !== '');
}

/** Converts the form to the request body and omits the fields of other kinds. */
export function anchorDraftOf(draft: AnchorForm): AnchorDraft {
  const { kind } = draft;
  const url = draft.url.trim();
  const common = { party: draft.party.trim(), everyHours: Number(draft.everyHours) };
  if (kind === 'witness') return { ...common, kind, settings: { url, key: draft.key.trim() } };
  if (kind === 'rfc3161') return { ...common, kind, settings: { url, certificates: draft.certificates.trim() } };
  if (kind === 'mail') return { ...common, kind, settings: { addresses: addressesOf(draft.addresses) } };
  if (kind === 'webhook') return { ...common, kind, settings: { url } };
  const { branch, folder, user, secret } = draft;
  const settings = { url, branch: branch.trim(), folder: folder.trim(), user: user.trim() };
  return { ...common, kind, settings, secret: secret.trim() };
}
