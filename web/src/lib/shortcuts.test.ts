import { expect, test } from 'vitest';
import { isKeyHandledElsewhere } from './shortcuts.ts';

test.each([
  ['<input type="text">', true],
  ['<input type="radio">', true],
  ['<textarea></textarea>', true],
  ['<div role="listbox"></div>', true],
  ['<input type="checkbox">', false],
  ['<button></button>', false],
])('tells whether %s handles letters itself', (html, handled) => {
  document.body.innerHTML = html;
  expect(isKeyHandledElsewhere(document.body.firstElementChild)).toBe(handled);
});

test('a dialog handles all keys', () => {
  document.body.innerHTML = '<button></button><div role="dialog"></div>';
  expect(isKeyHandledElsewhere(document.querySelector('button'))).toBe(true);
});
