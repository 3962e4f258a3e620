// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderWithTheme } from '#testing/draw.tsx';
import { OrganizationSelector } from './OrganizationSelector.tsx';

const organizations = [
  { id: 'kestrel', name: 'Kestrel Payments' },
  { id: 'auditwell', name: 'Auditwell' },
];

function selector(activeId: string) {
  const chosen: string[] = [];
  renderWithTheme(
    <OrganizationSelector
      organizations={organizations}
      activeId={activeId}
      onChoose={(id) => chosen.push(id)}
      manageHref="/organizations"
    />,
  );
  return chosen;
}

test('marks the active organization with Org, offers to manage, and lists only others for selection', async () => {
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

test('waits for an organization that is not listed yet', () => {
  selector('newest');
  expect(screen.queryByRole('button')).toBeNull();
});
