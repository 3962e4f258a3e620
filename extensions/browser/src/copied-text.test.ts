// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { copiedText } from './copied-text.ts';

beforeEach(() => {
  document.body.innerHTML =
    '<p>Some words</p><textarea>in a field</textarea><input type="password" value="hunter2hunter2">';
});
function occur(type: string, target: Element, clipboard = ''): string {
  const event = new Event(type, { bubbles: true });
  Object.assign(event, { clipboardData: { getData: () => clipboard } });
  let text = '';
  const listen = (heard: Event) => {
    text = copiedText(heard as ClipboardEvent, document);
  };
  window.addEventListener(type, listen, { once: true });
  target.dispatchEvent(event);
  return text;
}
const find = <E extends Element>(selector: string): E => document.querySelector(selector) as E;

it('reads the selection in a field', () => {
  const field = find<HTMLTextAreaElement>('textarea');
  field.focus();
  field.setSelectionRange(3, 10);
  expect(occur('copy', field)).toBe('a field');
});

it('reads the selection on the page', () => {
  document.getSelection()?.selectAllChildren(find('p'));
  expect(occur('copy', find('p'))).toBe('Some words');
});

it('reads what a page writes to the clipboard', () => {
  expect(occur('copy', find('p'), 'from the page')).toBe('from the page');
});

it('reads what is pasted', () => {
  expect(occur('paste', find('textarea'), 'pasted')).toBe('pasted');
});

it.each(['copy', 'cut', 'paste'])('never reads a password on %s', (type) => {
  const field = find<HTMLInputElement>('input');
  field.focus();
  field.select();
  expect(occur(type, field, 'hunter2hunter2')).toBe('');
});
