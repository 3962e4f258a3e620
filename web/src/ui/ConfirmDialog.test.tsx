// @vitest-environment happy-dom
import { Menu } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Dialog } from './Dialog.tsx';

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

function MountedOpen() {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        New portal
      </button>
      {opened && (
        <Dialog title="New portal" opened onClose={() => setOpened(false)}>
          <input aria-label="Auditor" />
        </Dialog>
      )}
    </>
  );
}

test('returns the focus after Escape from a dialog that was mounted open', async () => {
  renderWithTheme(<MountedOpen />);
  const opener = screen.getByRole('button', { name: 'New portal' });
  await userEvent.click(opener);
  await userEvent.click(await screen.findByLabelText('Auditor'));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(opener));
});

function OpenByAddress() {
  const [opened, setOpened] = useState(true);
  return (
    <main>
      <h1 tabIndex={-1}>Integrations</h1>
      <Dialog title="Set up" opened={opened} onClose={() => setOpened(false)}>
        <input aria-label="Tenant name" />
      </Dialog>
    </main>
  );
}

test('focuses the page title after Escape from a dialog that the address opened', async () => {
  renderWithTheme(<OpenByAddress />);
  await userEvent.click(await screen.findByLabelText('Tenant name'));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Integrations' })));
});

function FromMenu() {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Menu>
        <Menu.Target>
          <button type="button">Actions for Acme</button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpened(true)}>Leave Organization</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog title="Leave Acme?" opened={opened} onClose={() => setOpened(false)}>
        You need an invitation to come back.
      </Dialog>
    </>
  );
}

test('focuses the menu button after Escape from a dialog opened from a menu', async () => {
  renderWithTheme(<FromMenu />);
  const button = screen.getByRole('button', { name: 'Actions for Acme' });
  await userEvent.click(button);
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Leave Organization' }));
  await screen.findByRole('dialog', { name: 'Leave Acme?' });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test('names the object, focuses Cancel, and returns the focus', async () => {
  let confirmed = 0;
  renderWithTheme(<Deletion onConfirm={() => confirmed++} />);
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
  renderWithTheme(<Deletion onConfirm={() => confirmed++} />);
  await userEvent.click(screen.getByRole('button', { name: 'Delete member' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(confirmed).toBe(1);
});
