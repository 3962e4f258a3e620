// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '#testing/draw.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';

function Deletion({ onConfirm }: { onConfirm: () => void }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        Delete member
      </button>
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title="Delete Olu Adeyemi?"
        confirm="Delete"
        danger
        onConfirm={onConfirm}
      >
        They lose access at once.
      </ConfirmDialog>
    </>
  );
}

test('names the object, starts on Cancel, and gives the focus back', async () => {
  let confirmed = 0;
  draw(<Deletion onConfirm={() => confirmed++} />);
  const opener = screen.getByRole('button', { name: 'Delete member' });
  await userEvent.click(opener);
  expect(await screen.findByRole('dialog', { name: 'Delete Olu Adeyemi?' })).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' })));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(document.activeElement).toBe(opener));
  expect(confirmed).toBe(0);
});

test('confirms only by its own button', async () => {
  let confirmed = 0;
  draw(<Deletion onConfirm={() => confirmed++} />);
  await userEvent.click(screen.getByRole('button', { name: 'Delete member' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(confirmed).toBe(1);
});
