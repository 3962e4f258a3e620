import { parseVerifier, type Verifier } from '@sightline/evidence/ledger/note.ts';

// Elements that the single pages of auditors share: a problem, the progress, and files.

/** Throws without such an element. */
export const byId = <E extends HTMLElement = HTMLElement>(id: string): E => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no ${id}`);
  return found as E;
};

/** Creates an element with a text, which is never read as HTML. */
export function made(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

export const bytesOf = async (file: File): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());
export const maybeBytes = (file: File | undefined): Promise<Uint8Array> | undefined =>
  file ? bytesOf(file) : undefined;

/** Calls `onFiles` with the files that are dropped on an element. */
export function acceptDrop(drop: HTMLElement, onFiles: (files: FileList) => void): void {
  for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'] as const) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle('over', name === 'dragenter' || name === 'dragover');
      if (name === 'drop' && event.dataTransfer?.files.length) onFiles(event.dataTransfer.files);
    });
  }
  // A file dropped outside of its field must not replace the page.
  for (const name of ['dragover', 'drop'] as const) addEventListener(name, (event) => event.preventDefault());
}

/** The keys in the lines of a field. Undefined, with an error message, if a line is not a key. */
export function keysIn(id: string): Verifier[] | undefined {
  const lines = byId<HTMLTextAreaElement>(id).value.split('\n');
  try {
    return lines.filter((line) => line.trim() !== '').map(parseVerifier);
  } catch (error) {
    showProblem(`${(error as Error).message}.`);
    byId(id).focus();
    return undefined;
  }
}

/** Shows a problem, or none for an empty text. */
export function showProblem(text: string): void {
  byId('problem').hidden = text === '';
  byId('problem').textContent = text;
}

/** Renders the page before the next step blocks it. */
export const showProgress = (text: string): Promise<void> => {
  byId('progress').textContent = text;
  return new Promise((resolve) => setTimeout(resolve));
};
