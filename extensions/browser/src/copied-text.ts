/** The text of a copy, cut or paste; empty for passwords, pictures and files. */
export function copiedText(event: ClipboardEvent, page: Document): string {
  const field = page.activeElement;
  if (isPassword(event.target) || isPassword(field)) return '';
  const own = event.clipboardData?.getData('text/plain') ?? '';
  if (event.type === 'paste' || own !== '') return own;
  return selectedIn(field) ?? page.getSelection()?.toString() ?? '';
}

const isPassword = (target: EventTarget | null) => target instanceof HTMLInputElement && target.type === 'password';

function selectedIn(field: Element | null): string | undefined {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return undefined;
  const { selectionStart, selectionEnd } = field;
  if (selectionStart === null || selectionEnd === null || selectionStart === selectionEnd) return undefined;
  return field.value.slice(selectionStart, selectionEnd);
}
