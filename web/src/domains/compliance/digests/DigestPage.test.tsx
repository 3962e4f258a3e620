// @vitest-environment happy-dom
import { type DigestDetail, getDigest, reviewDigest } from '@sightline/contract/compliance/digests.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { DigestPage } from './DigestPage.tsx';
import { weekText } from './digestLabels.ts';

const id = '00000000-0000-4000-8000-000000000001';
const sha = 'ab'.repeat(32);
const item = (subject: string, title: string, isMine = false): DigestDetail['items'][number] => ({
  subject,
  title,
  controls: [
    {
      id: 'CHG-01',
      title: 'Independent approval after the last push',
      reasons: [{ code: 'direct_push', text: 'The change was pushed directly, without a pull request.', about: null }],
    },
  ],
  link: '/changes/1',
  isMine,
  decision: null,
});
const digest = (more: Partial<DigestDetail> = {}): DigestDetail => ({
  id,
  repository: { id, provider: 'github', fullName: 'acme/api' },
  period: { from: '2026-11-09T00:00:00.000Z', to: '2026-11-16T00:00:00.000Z' },
  dueAt: '2026-11-16T06:00:00.000Z',
  requested: null,
  state: 'open',
  counts: {
    changes: 4,
    withoutApproval: 2,
    byAgents: 0,
    commits: 9,
    directCommits: 3,
    newCommitters: 1,
    protectionChanges: 0,
    newTools: 0,
    seriousFindings: 0,
    overTimeLimit: 0,
    waivers: 0,
  },
  flagged: 2,
  decided: 0,
  missingEvidence: 0,
  signedAt: null,
  bodySha256: sha,
  asOf: { epoch: 1, size: 900 },
  items: [item('change:1', '#7 Add invoices'), item('change:2', 'Direct push abcdef0', true)],
  missing: [],
  reviews: [],
  ...more,
});
const open = () => visitPage('/digests/$digestId', DigestPage, `/digests/${id}`);

beforeEach(() => signIn('rol_reviewer'));

test('names a week by its inclusive last day', () => {
  expect(weekText(digest().period)).toBe('9 Nov to 15 Nov 2026');
});

test('requires every assigned item to be opened and decided before signing', async () => {
  const sent: unknown[] = [];
  fakeApi.answer(getDigest, () => digest());
  fakeApi.answer(reviewDigest, ({ body }) => {
    sent.push(body);
    return digest({ state: 'partly', decided: 1 });
  });
  open();
  const sign = await screen.findByRole('button', { name: 'Mark reviewed' });
  expect((sign as HTMLButtonElement).disabled).toBe(true);
  screen.getByText('1 item is not decided yet');
  screen.getByText('You contributed to one of them. Another reviewer decides on it.');
  expect(screen.queryByRole('radiogroup')).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: /Direct push/ }));
  expect(screen.queryByRole('radiogroup')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /Add invoices/ }));
  screen.getAllByText(/The change was pushed directly/);
  await userEvent.click(screen.getByRole('radio', { name: 'Follow up' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Note' }), 'Asked Bob');
  await userEvent.click(sign);
  await waitFor(() =>
    expect(sent).toEqual([
      {
        bodySha256: sha,
        decision: 'reviewed',
        note: 'Asked Bob',
        items: [{ subject: 'change:1', choice: 'follow_up' }],
      },
    ]),
  );
});

test('shows the reason of a refusal and keeps the input', async () => {
  fakeApi.answer(getDigest, () => digest({ items: [item('change:1', '#7 Add invoices')], flagged: 1 }));
  fakeApi.refuse(reviewDigest, 409, 'conflict', 'This is not the digest that was shown.');
  open();
  await userEvent.click(await screen.findByRole('button', { name: /Add invoices/ }));
  await userEvent.click(screen.getByRole('radio', { name: 'Accepted' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Note' }), 'Seen');
  await userEvent.click(screen.getByRole('button', { name: 'Mark reviewed' }));
  expect((await screen.findByRole('alert')).textContent).toContain('This is not the digest that was shown.');
  expect((screen.getByRole('textbox', { name: 'Note' }) as HTMLTextAreaElement).value).toBe('Seen');
});

test('requires a signature for a week without flagged items and shows readers no button', async () => {
  fakeApi.answer(getDigest, () => digest({ items: [], flagged: 0 }));
  open();
  expect(((await screen.findByRole('button', { name: 'Mark reviewed' })) as HTMLButtonElement).disabled).toBe(false);
  signIn('rol_auditor');
  open();
  expect((await screen.findAllByText('No flagged items')).length).toBeGreaterThan(0);
});
