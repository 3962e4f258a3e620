import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import type { RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { organization } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visit.tsx';
import { HostNotice } from './HostNotice.tsx';
import { repository } from './repository.fixture.ts';

function show(role: RoleId, change: Partial<RepositoryDetail>, host: Partial<RepositoryDetail['host']>) {
  signIn(role);
  fakeApi.answer(getOrganization, () => organization({ ownerEmails: ['grace@acme.example'] }));
  const given = repository(change);
  visitPage('/', () => <HostNotice repository={{ ...given, host: { ...given.host, ...host } }} />, '/');
}

test('reports a suspended host and links owners to where it is resumed', async () => {
  show('rol_owner', {}, { state: 'suspended', since: '2026-11-20T10:00:00Z' });
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /Sightline is suspended on GitHub, account acme.*No new data is imported. Imported data is kept/,
  );
  const link = screen.getByRole('link', { name: /Resume it in its settings on GitHub/ });
  expect(link.getAttribute('href')).toBe('https://github.example/acme');
});

test('offers owners to reconnect a host that was removed or rejects its token', async () => {
  show('rol_owner', {}, { state: 'removed', settingsURL: null });
  const github = await screen.findByRole('link', { name: 'Connect GitHub again' });
  expect(github.getAttribute('href')).toBe('/integrations/source-code-management');
  show('rol_owner', { provider: 'gitlab' }, { state: 'refused' });
  const gitlab = await screen.findByRole('link', { name: 'Connect GitLab again' });
  expect(gitlab.getAttribute('href')).toBe('/integrations/source-code-management?setup=gitlab');
});

test('shows other roles whom to contact', async () => {
  show('rol_contributor', {}, { state: 'removed' });
  expect(await screen.findByText(/Ask grace@acme\.example to resolve this/)).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});

test('shows no notice while the host is connected', async () => {
  show('rol_owner', {}, { state: 'withheld' });
  await screen.findByText(/no longer provides this repository/);
  show('rol_owner', {}, {});
  await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(1));
});
