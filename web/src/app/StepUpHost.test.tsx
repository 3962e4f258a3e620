import { ApiError } from '@sightline/contract/core/client.ts';
import { revokeAccessKey } from '@sightline/contract/identity/access-keys.ts';
import { getReauthentication, reauthenticate } from '@sightline/contract/identity/sessions.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { call } from '#lib/api.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visit.tsx';

const params = { accessKeyId: '00000000-0000-7000-8000-000000000001' };
let isRecent: boolean;
let refused: number;
beforeEach(() => {
  [isRecent, refused] = [false, 0];
  signIn('rol_owner');
  const stepUp = () => {
    if (isRecent) return null;
    refused += 1;
    throw new ApiError('', 403, { code: 'reauthentication_required', message: 'Confirm.', requestId: '1' });
  };
  fakeApi.answer(revokeAccessKey, stepUp);
  fakeApi.answer(getReauthentication, () => ({ needed: true, proofs: ['password' as const] }));
  fakeApi.answer(reauthenticate, () => {
    isRecent = true;
    return { needed: false, proofs: ['password' as const] };
  });
  visitPage('/keys', () => null, '/keys');
});

test('asks once for several concurrent changes and resends each of them', async () => {
  const changes = [call(revokeAccessKey, { params }), call(revokeAccessKey, { params })];
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }));
  await userEvent.type(await dialog.findByLabelText('Password'), 'right{Enter}');
  expect(await Promise.all(changes)).toEqual([null, null]);
  expect(refused).toBe(2);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('fails an unconfirmed change and asks again for the next one', async () => {
  for (let round = 0; round < 2; round += 1) {
    const change = expect(call(revokeAccessKey, { params })).rejects.toMatchObject({ status: 403 });
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it is you' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    await change;
  }
  expect(refused).toBe(2);
});
