// @vitest-environment happy-dom

import { findPictures } from '@sightline/contract/organization/people.ts';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn } from '#testing/visitPage.tsx';
import { loadPersonPicture } from './pictures.ts';

const [ada, grace, linus] = [1, 2, 3].map((n) => `0198c0de-0000-7000-8000-00000000000${n}`) as [string, string, string];
const picture = 'data:image/png;base64,AAAA';

test('asks for the pictures of people together, once, and again after a failure', async () => {
  signIn('rol_owner');
  const asked: string[][] = [];
  fakeApi.answer(findPictures, ({ query }) => {
    asked.push([...(query?.ids ?? [])]);
    return { pictures: { [ada]: picture } };
  });
  expect(await Promise.all([ada, grace, ada].map(loadPersonPicture))).toEqual([picture, undefined, picture]);
  expect(await loadPersonPicture(grace)).toBeUndefined();
  expect(asked).toEqual([[ada, grace]]);
  fakeApi.refuse(findPictures, 429, 'rate_limited', 'Too many requests.');
  expect(await loadPersonPicture(linus)).toBeUndefined();
  fakeApi.answer(findPictures, () => ({ pictures: { [linus]: picture } }));
  expect(await loadPersonPicture(linus)).toBe(picture);
});
