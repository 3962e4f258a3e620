// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { draw } from '#testing/draw.tsx';
import { OrganizationSelector } from './OrganizationSelector.tsx';

const organizations = [
  { id: 'kestrel', name: 'Kestrel Payments' },
  { id: 'auditwell', name: 'Auditwell' },
];

function selector(activeId: string | undefined) {
  const chosen: string[] = [];
  draw(
    <OrganizationSelector
      organizations={organizations}
      activeId={activeId}
      onChoose={(id) => chosen.push(id)}
      manageHref="/organizations"
    />,
  );
  return chosen;
}

test('with one active it is marked Org, offers to manage, and chooses only another one', async () => {
  const chosen = selector('kestrel');
  await userEvent.click(screen.getByRole('button', { name: 'Organization: Kestrel Payments Org' }));
  expect((await screen.findByRole('menuitem', { name: 'Manage Organizations' })).getAttribute('href')).toBe(
    '/organizations',
  );
  await userEvent.click(screen.getByRole('menuitem', { name: 'Kestrel Payments' }));
  await userEvent.click(screen.getByRole('button', { name: /^Organization/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Auditwell' }));
  expect(chosen).toEqual(['auditwell']);
});

test('with none chosen it asks for one and has nothing to manage', async () => {
  const chosen = selector(undefined);
  await userEvent.click(screen.getByRole('button', { name: 'Organization: Choose organization' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Auditwell' }));
  expect(screen.queryByRole('menuitem', { name: 'Manage Organizations' })).toBeNull();
  expect(chosen).toEqual(['auditwell']);
});
