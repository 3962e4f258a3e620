import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { draw } from '#testing/draw.tsx';
import { ZoneSelect } from './ZoneSelect.tsx';

test('half-hour zones are behind "More offsets…", which leaves the list open', async () => {
  const user = userEvent.setup();
  const chosen: number[] = [];
  draw(<ZoneSelect offset={0} onChange={(offset) => chosen.push(offset)} />);
  await user.click(screen.getByRole('combobox', { name: 'Timezone' }));
  expect(screen.queryByRole('option', { name: 'UTC+05:30' })).toBeNull();
  await user.click(screen.getByRole('option', { name: 'More offsets…' }));
  expect(chosen).toEqual([]);
  expect(screen.queryByRole('option', { name: 'More offsets…' })).toBeNull();
  await user.click(await screen.findByRole('option', { name: 'UTC+05:30' }));
  expect(chosen).toEqual([330]);
});
